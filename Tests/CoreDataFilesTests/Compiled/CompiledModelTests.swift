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
        #expect(CompiledSample.inBundles.count == 6)
        #expect(CompiledSample.inStores.count == 9)
    }

    @Test(arguments: CompiledSample.all) func writtenModelReadsEqual(_ sample: CompiledSample) throws {
        let model = try sample.model()
        let again = try CompiledModelReader.read(CompiledModelWriter.data(for: model), from: "ours")
        #expect(again == model)
        #expect(try CachedModel.read(CachedModel.data(for: model), from: "ours") == model)
    }

    @Test(arguments: CompiledSample.all) func hashesAreApples(_ sample: CompiledSample) throws {
        let hashes = try VersionHash.hashes(of: ModelIndex(sample.model()))
        #expect(!sample.hashes.isEmpty)
        #expect(Set(hashes.keys) == Set(sample.hashes.keys))
        for (name, hash) in hashes where hash.isCertain {
            #expect(hash.data == sample.hashes[name], "\(sample.path) \(name)")
        }
    }

    @Test(arguments: CompiledSample.all) func sumsAreApples(_ sample: CompiledSample) {
        if let digest = sample.digest { #expect(VersionHash.digest(of: sample.hashes) == digest) }
        if let checksum = sample.checksum { #expect(VersionHash.checksum(of: sample.hashes) == checksum) }
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
        #expect(book.schema.uniquenessConstraints == [["uniqueID"]])
        #expect(index.model.configurations.map(\.name) == ["SampleConfigurationV1"])
        #expect(index.model.configurations[0].entityNames.count == 6)

        let count = try #require(book.propertiesByName["pagesCount"]?.attribute?.derivation)
        #expect(count.expression == .function(operand: nil, name: "count:", arguments: [.keyPath("pages")]))
        let title = try #require(book.propertiesByName["title"])
        #expect(title.validation.count == 2)
        #expect(title.validation[1].warning == .string("Title must contain 'title'."))
        #expect(
            title.validation[1].predicate
                == .comparison(.init(.evaluatedObject, op: .contains, right: .constant(.string("title")))))

        let author = try #require(index.entity("Author"))
        #expect(author.schema.superentityName == "Writer")
        #expect(author.declaringEntity["age"] == "Writer")
        #expect(!author.schema.properties.contains { $0.name == "age" })
        guard case .fetched(let request) = author.propertiesByName["favFeedbacks"]?.kind else {
            Issue.record("no fetched property")
            return
        }
        #expect(request.entityName == "Feedback")
        #expect(author.propertiesByName["favFeedbacks"]?.userInfo == [.string("search"): .string("great")])
        guard case .and(let parts) = request.predicate, parts.count == 2,
            case .comparison(let contains) = parts[1]
        else {
            Issue.record("another predicate")
            return
        }
        #expect(contains.op == .contains)
        #expect(contains.options == .caseInsensitive)
        #expect(contains.right == .keyPath(.variable("FETCHED_PROPERTY"), "userInfo.search"))
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
        #expect(object.classNames.first == "CoreDataPlus_Tests.Cover")
        #expect(object.fields == [.init(key: "text", value: .string("default cover"))])
    }
}
