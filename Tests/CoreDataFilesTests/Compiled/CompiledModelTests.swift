// Compiled models made by Apple's tools: they read, hash as their makers say, and survive our writer.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct CompiledModelTests {
    @Test func theSamplesAreThere() {
        expect(CompiledSample.inBundles.count, equals: 6)
        expect(CompiledSample.inStores.count, equals: 9)
    }

    @Test(arguments: CompiledSample.all) func writtenModelReadsEqual(_ sample: CompiledSample) throws {
        let model = try sample.model()
        let again = try CompiledModelReader.read(CompiledModelWriter.data(for: model), from: "ours")
        expect(again, equals: model)
        try expect(CachedModel.read(CachedModel.data(for: model), from: "ours"), equals: model)
    }

    @Test(arguments: CompiledSample.all) func hashesAreApples(_ sample: CompiledSample) throws {
        let hashes = try VersionHash.hashes(of: ModelIndex(sample.model()))
        #expect(!sample.hashes.isEmpty)
        expect(Set(hashes.keys), equals: Set(sample.hashes.keys))
        for (name, hash) in hashes where hash.isCertain {
            expect(hash.data, equals: sample.hashes[name], "\(sample.path) \(name)")
        }
    }

    @Test(arguments: CompiledSample.all) func sumsAreApples(_ sample: CompiledSample) {
        if let digest = sample.digest { expect(VersionHash.digest(of: sample.hashes), equals: digest) }
        if let checksum = sample.checksum {
            expect(VersionHash.checksum(of: sample.hashes), equals: checksum)
        }
    }

    @Test func sumsAreInTheSamples() {
        #expect(CompiledSample.all.contains { $0.digest != nil })
        #expect(CompiledSample.all.contains { $0.checksum != nil })
    }

    @Test func onlyDerivedAttributesAreUncertain() throws {
        for sample in CompiledSample.all {
            let index = try ModelIndex(sample.model())
            for (name, hash) in VersionHash.hashes(of: index) where !hash.isCertain {
                let properties = try #require(index.entity(name)).properties
                let reason = try #require(hash.reason)
                #expect(properties.contains { $0.attribute?.derivation != nil } || reason.contains("sorted"))
            }
        }
    }

    @Test func aRichModelReadsAsItsStoreWasMade() throws {
        let sample = try #require(CompiledSample.inStores.first { $0.path.contains("SampleModel2_V1") })
        let index = try ModelIndex(sample.model())
        let book = try #require(index.entity("Book"))
        expect(book.schema.uniquenessConstraints, equals: [["uniqueID"]])
        expect(index.model.configurations.map(\.name), equals: ["SampleConfigurationV1"])
        expect(index.model.configurations[0].entityNames.count, equals: 6)

        let count = try #require(book.propertiesByName["pagesCount"]?.attribute?.derivation)
        expect(
            count.expression, equals: .function(operand: nil, name: "count:", arguments: [.keyPath("pages")]))
        let title = try #require(book.propertiesByName["title"])
        expect(title.validation.count, equals: 2)
        expect(title.validation[1].warning, equals: .string("Title must contain 'title'."))
        expect(
            title.validation[1].predicate,
            equals: .comparison(.init(.evaluatedObject, op: .contains, right: .constant(.string("title")))))

        let author = try #require(index.entity("Author"))
        expect(author.schema.superentityName, equals: "Writer")
        expect(author.declaringEntity["age"], equals: "Writer")
        #expect(!author.schema.properties.contains { $0.name == "age" })
        guard case .fetched(let request) = author.propertiesByName["favFeedbacks"]?.kind else {
            Issue.record("no fetched property")
            return
        }
        expect(request.entityName, equals: "Feedback")
        expect(
            author.propertiesByName["favFeedbacks"]?.userInfo, equals: [.string("search"): .string("great")])
        guard case .and(let parts) = request.predicate, parts.count == 2,
            case .comparison(let contains) = parts[1]
        else {
            Issue.record("another predicate")
            return
        }
        expect(contains.op, equals: .contains)
        expect(contains.options, equals: .caseInsensitive)
        expect(contains.right, equals: .keyPath(.variable("FETCHED_PROPERTY"), "userInfo.search"))
    }

    @Test func anObjectOfTheApplicationsClassIsADefaultValue() throws {
        let sample = try #require(CompiledSample.inStores.first { $0.path.contains("SampleModel2_V1") })
        let book = try #require(ModelIndex(sample.model()).entity("Book"))
        guard case .object(let reference) = book.propertiesByName["cover"]?.attribute?.defaultValue,
            let object = reference.object as? ArchivedObject
        else {
            Issue.record("no object")
            return
        }
        expect(object.classNames.first, equals: "CoreDataPlus_Tests.Cover")
        expect(object.fields, equals: [.init(key: "text", value: .string("default cover"))])
    }
}
