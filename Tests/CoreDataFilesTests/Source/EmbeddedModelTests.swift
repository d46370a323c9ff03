// Mapping models embed both of their models in the archived form of source models: current Xcode's archives, of
// models whose XML is at hand too. And the expressions beside them.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct EmbeddedModelTests {
    static let files = SharedFiles.paths(under: "mappingmodels", suffix: "xcmapping.xml")

    /// The archives under an attribute's name in a mapping model's XML.
    private static func archives(_ name: String, in path: String) throws -> [Data] {
        let root = try XMLTreeReader.read(Data(contentsOf: SharedFiles.url(path)))
        return root.children.flatMap(\.children).filter { $0["name"] == name }.compactMap {
            Data(base64Encoded: $0.text, options: .ignoreUnknownCharacters)
        }.filter { BinaryPropertyListReader.accepts($0) }
    }

    @Test(arguments: files) func bothModelsRead(_ path: String) throws {
        let models = try ["sourcemodeldata", "destinationmodeldata"].flatMap {
            try Self.archives($0, in: path)
        }
        expect(models.count, equals: 2)
        for data in models {
            let model = try ArchivedSourceReader.read(data, from: path)
            #expect(!model.entities.isEmpty)
            #expect(ModelValidator.problems(in: model).allSatisfy { $0.severity == .warning })
            expect(model.source?.remarks.map(\.description), equals: [])
            try expect(
                ModelSourceReader.read(ModelSourceWriter.data(for: model), from: "ours"), equals: model)
        }
    }

    @Test(arguments: [
        (
            "CareKit/2.0_2.1_Mapping.xcmappingmodel", "sourcemodeldata",
            "CareKit/CareKitStore.xcdatamodeld/CareKitStore2.0"
        ),
        (
            "CareKit/2.0_2.1_Mapping.xcmappingmodel", "destinationmodeldata",
            "CareKit/CareKitStore.xcdatamodeld/CareKitStore2.1"
        ),
        (
            "CoreDataPlus/V2toV3.xcmappingmodel", "sourcemodeldata",
            "CoreDataPlus/SampleModel.xcdatamodeld/SampleModel2"
        ),
        (
            "CoreDataPlus/V2toV3.xcmappingmodel", "destinationmodeldata",
            "CoreDataPlus/SampleModel.xcdatamodeld/SampleModel3"
        ),
    ])
    func archiveSaysWhatTheXMLSays(_ mapping: String, _ key: String, _ source: String) throws {
        let data = try #require(Self.archives(key, in: "mappingmodels/\(mapping)/xcmapping.xml").first)
        let archived = try ModelIndex(ArchivedSourceReader.read(data, from: mapping))
        let model = try ModelFile.read(SharedFiles.url("models/\(source).xcdatamodel"))
        expect(archived.model.entities.count, equals: model.entities.count)
        var equal = 0
        for entity in model.entities {
            let other = try #require(archived.entity(entity.name)?.schema)
            expect(other.superentityName, equals: entity.superentityName)
            expect(Set(other.properties.map(\.name)), equals: Set(entity.properties.map(\.name)))
            if VersionHash.hashes(of: archived)[entity.name]
                == VersionHash.hashes(of: ModelIndex(model))[entity.name]
            {
                equal += 1
            }
        }
        #expect(equal > 0)
    }

    @Test func expressionsReadAndSurvive() throws {
        let all = try Self.files.flatMap { try Self.archives("valueexpressiondata", in: $0) }
        expect(all.count, equals: 8)
        var calls = 0
        for data in all {
            let object = try #require(KeyedArchive(data).node().object)
            let tree = try ArchivedPredicateReader.expression(object)
            if case .function(operand: .variable("manager")?, _, let arguments) = tree {
                expect(arguments.count, equals: 2)
                calls += 1
            }
            let archive = KeyedArchiveWriter()
            let written = try archive.data(root: ArchivedPredicateWriter(archive).expression(tree))
            let again = try #require(KeyedArchive(written).node().object)
            try expect(ArchivedPredicateReader.expression(again), equals: tree)
        }
        expect(calls, equals: 4)
    }

    @Test func theExpressionsOfACompiledMappingRead() throws {
        let root = try #require(
            KeyedArchive(Data(contentsOf: SharedFiles.url("compiled/CoreDataPlus/V2toV3.cdm"))).node().object)
        let mappings = try #require(root.node("NSEntityMappings").object).elements().compactMap(\.object)
        let sources = try mappings.compactMap { try $0.node("NSSourceExpression").object }
        expect(sources.count, equals: 4)
        for source in sources {
            guard
                case .fetchRequest(_, let context, let countOnly) = try ArchivedPredicateReader.expression(
                    source)
            else {
                Issue.record("no fetch request")
                continue
            }
            expect(context, equals: .keyPath(.variable("manager"), "sourceContext"))
            #expect(!countOnly)
        }
    }

    @Test func brokenArchivesNeverTrap() throws {
        let data = try Data(
            contentsOf: SharedFiles.url("models/RestKit/RKTwitterCoreData.xcdatamodel/elements"))
        var random = SeededGenerator(seed: 5)
        var failures = 0
        for _ in 0..<150 {
            var broken = data
            for _ in 0..<20 {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if (try? ArchivedSourceReader.read(broken, from: "broken")) == nil { failures += 1 }
        }
        #expect(failures > 0)
    }
}
