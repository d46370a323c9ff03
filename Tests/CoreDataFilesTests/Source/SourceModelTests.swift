// Every source model among the real files: reads, is sound, and survives both writers; hashes agree with Apple's.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct SourceModelTests {
    static let paths = SharedFiles.paths(under: "models", suffix: ".xcdatamodel")
    /// One bundle came without its only version.
    static let bundles = SharedFiles.paths(under: "models", suffix: ".xcdatamodeld").filter {
        !$0.hasSuffix("RestKitCoreData.xcdatamodeld")
    }

    private func read(_ path: String) throws -> ModelSchema { try ModelFile.read(SharedFiles.url(path)) }

    @Test func theSamplesAreThere() {
        #expect(Self.paths.count > 95)
        #expect(Self.bundles.count > 50)
    }

    @Test(arguments: paths) func modelIsSound(_ path: String) throws {
        let model = try read(path)
        // One of the real models is empty.
        #expect(!model.entities.isEmpty || path.hasSuffix("HalloAppClip.xcdatamodel"))
        let errors = ModelValidator.problems(in: model).filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test(arguments: paths) func xmlSurvives(_ path: String) throws {
        let model = try read(path)
        let again = try ModelSourceReader.read(ModelSourceWriter.data(for: model), from: "ours")
        expect(again, equals: model)
    }

    @Test(arguments: paths) func compiledFormSurvives(_ path: String) throws {
        let model = try read(path)
        let again = try CompiledModelReader.read(CompiledModelWriter.data(for: model), from: "ours")
        expect(again, equals: model.compiled)
    }

    @Test(arguments: bundles) func bundleHasOneCurrentVersion(_ path: String) throws {
        let url = try SharedFiles.url(path)
        let versions = try ModelFile.versions(of: url)
        let current = versions.filter(\.isCurrent)
        expect(current.count, equals: 1)
        try expect(ModelFile.read(url), equals: current.first?.schema)
    }

    @Test func aListThatNamesNoVersionMeansTheBundlesOwnName() throws {
        let url = try SharedFiles.url("models/CoreStore/Advanced.EvolutionDemo.xcdatamodeld")
        let current = try ModelFile.versions(of: url).filter(\.isCurrent).map(\.name)
        expect(current, equals: ["Advanced.EvolutionDemo"])
    }

    @Test func bundleWithoutVersionsSaysSo() throws {
        let url = try SharedFiles.url("models/RestKit/RestKitCoreData.xcdatamodeld")
        let error = try #require(throws: ModelFileError.self) { try ModelFile.read(url) }
        expect(error.file, equals: url.path)
        #expect(error.reason.contains("missing") || error.reason.contains("no version"))
    }

    /// Stores and bundles beside the source models that they were made from.
    @Test(arguments: [
        ("CoreDataPlus/SampleModel.xcdatamodeld", "compiled/CoreDataPlus/SampleModel.momd"),
        ("CoreDataPlus/SampleModel3.xcdatamodeld", "compiled/CoreDataPlus/SampleModel3.momd"),
    ])
    func hashesEqualThoseOfTheBundle(_ source: String, _ bundle: String) throws {
        let sources = try ModelFile.versions(of: SharedFiles.url("models/" + source))
        for version in sources {
            let sample = try #require(
                CompiledSample.inBundles.first { $0.path == "\(bundle)/\(version.name).mom" })
            try expectHashes(of: version.schema, toBe: sample)
            let compiled = try sample.model()
            expect(Set(compiled.entities.map(\.name)), equals: Set(version.schema.entities.map(\.name)))
        }
    }

    @Test(arguments: [
        (
            "CoreDataPlus/SampleModel.xcdatamodeld/SampleModel.xcdatamodel",
            "CoreDataPlus/SampleModel_V1.sqlite"
        ),
        (
            "CoreDataPlus/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel",
            "CoreDataPlus/SampleModel_V2.sqlite"
        ),
        (
            "CoreDataPlus/SampleModel3.xcdatamodeld/SampleModel3.xcdatamodel",
            "CoreDataPlus/SampleModel3_V1.sqlite"
        ),
    ])
    func hashesEqualThoseOfTheStore(_ source: String, _ store: String) throws {
        let sample = try #require(CompiledSample.inStores.first { $0.path == "stores/" + store })
        try expectHashes(of: read("models/" + source), toBe: sample)
    }

    private func expectHashes(of model: ModelSchema, toBe sample: CompiledSample) throws {
        let hashes = VersionHash.hashes(of: ModelIndex(model))
        expect(Set(hashes.keys), equals: Set(sample.hashes.keys))
        for (name, hash) in hashes where hash.isCertain {
            expect(hash.data, equals: sample.hashes[name], "\(sample.path) \(name)")
        }
    }

    /// Some version of each of these models must be the one of the store: the stores don't say which.
    @Test(arguments: [
        ("models/DuckDuckGo/BookmarksModel.xcdatamodeld", "stores/DuckDuckGo/Bookmarks_V1.sqlite"),
        ("models/DuckDuckGo/BookmarksModel.xcdatamodeld", "stores/DuckDuckGo/Bookmarks_V2.sqlite"),
        ("models/DuckDuckGo/BookmarksModel.xcdatamodeld", "stores/DuckDuckGo/Bookmarks_V3.sqlite"),
        ("models/LoopKit/Model.xcdatamodeld", "stores/LoopKit/Model_V1.sqlite"),
    ])
    func someVersionHashesAsTheStore(_ source: String, _ store: String) throws {
        let sample = try #require(CompiledSample.inStores.first { $0.path == store })
        let matching = try ModelFile.versions(of: SharedFiles.url(source)).filter { version in
            VersionHash.hashes(of: ModelIndex(version.schema)).mapValues(\.data) == sample.hashes
        }
        expect(matching.count, equals: 1)
    }

    /// Stores of framework versions that kept no copy of the model.
    @Test(arguments: [
        ("models/MagicalRecord/Recipes.xcdatamodeld", "stores/MagicalRecord/Recipes.sqlite"),
        ("models/RestKit/Data Model.xcdatamodel", "stores/RestKit/RKSeedDatabase.sqlite"),
    ])
    func hashesEqualThoseOfAnOldStore(_ source: String, _ store: String) throws {
        let expected = try CompiledSample.hashes(inStore: store)
        let computed = try VersionHash.hashes(of: ModelIndex(read(source)))
        #expect(!expected.isEmpty)
        // The model may have moved on since the store was made: what both have in common decides.
        let common = expected.keys.filter { computed[$0] != nil }
        let equal = common.filter { computed[$0]?.data == expected[$0] }
        expect(equal.count, equals: common.count, "\(common.count) of which \(equal.sorted()) are equal")
    }

    @Test func aCompositeAttributeHasItsElements() throws {
        let path = "models/CoreDataEvolution/GeneratedFlowModel.xcdatamodeld/GeneratedFlowModel.xcdatamodel"
        let attributes = try read(path).entities.flatMap(\.properties).compactMap(\.attribute)
        let composite = try #require(attributes.first { $0.type == .composite })
        expect(composite.compositeName, equals: "FlowPoint")
        expect(composite.elements.map(\.name), equals: ["lat", "lng"])
        expect(composite.elements[0].attribute?.defaultValue, equals: .double(0))
        expect(composite.elements.map(\.isOptional), equals: [false, true])
    }

    @Test func anXcode3ModelHasItsFacts() throws {
        let model = try read("models/RestKit/Data Model.xcdatamodel")
        expect(model.entities.count, equals: 18)
        let index = ModelIndex(model)
        let child = try #require(index.entity("Child"))
        expect(child.schema.superentityName, equals: "Human")
        expect(child.schema.className, equals: "RKChild")
        expect(child.propertiesByName["father"]?.relationship?.destinationEntityName, equals: "Parent")
        let limited = model.entities.flatMap(\.properties).filter { !$0.validation.isEmpty }
        expect(limited.count, equals: 1)
        expect(limited.first?.validation.first?.warning, equals: .integer(1660))
    }
}
