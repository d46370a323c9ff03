// Broken and malicious compiled models give an error or a model, never a trap.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct HostileModelTests {
    private let model = RichModel.model

    @Test func everyTruncationThrows() throws {
        let data = try CompiledModelWriter.data(for: model)
        for length in stride(from: 0, to: data.count, by: rounds(19, long: 1)) {
            #expect(throws: ModelFileError.self) {
                try CompiledModelReader.read(data.prefix(length), from: "cut")
            }
        }
    }

    @Test func changedBytesNeverTrap() throws {
        let data = try CompiledModelWriter.data(for: model)
        var random = SeededGenerator(seed: 7)
        var models = 0
        let count = rounds(200, long: 2000)
        for _ in 0..<count {
            var broken = data
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if let model = try? CompiledModelReader.read(broken, from: "broken") {
                models += 1
                // The model that was read must be fit for all code that reads models.
                _ = VersionHash.hashes(of: ModelIndex(model))
                _ = try? CompiledModelWriter.data(for: model)
            }
        }
        #expect(models < count)
    }

    @Test func anotherArchiveIsNoModel() throws {
        let writer = KeyedArchiveWriter()
        let data = writer.data(root: writer.array([]))
        #expect(throws: ModelFileError(file: "x.mom", reason: "the archive holds no model")) {
            try CompiledModelReader.read(data, from: "x.mom")
        }
    }

    @Test func aCircularPredicateNamesItsPlace() throws {
        let writer = KeyedArchiveWriter()
        let predicate = writer.reserve()
        writer.define(
            predicate, classes: ["NSCompoundPredicate", "NSPredicate", "NSObject"],
            fields: [
                .init("NSCompoundPredicateType", value: .integer(0)),
                .init("NSSubpredicates", value: writer.array([predicate])),
            ])
        let property = writer.object(
            ["NSAttributeDescription", "NSPropertyDescription", "NSObject"],
            fields: [
                .init("NSAttributeType", value: .integer(700)),
                .init("NSValidationPredicates", value: writer.array([predicate])),
            ])
        let entity = writer.object(
            ["NSEntityDescription", "NSObject"],
            fields: [.init("NSProperties", value: writer.dictionary([(writer.string("name"), property)]))])
        let root = writer.object(
            ["NSManagedObjectModel", "NSObject"],
            fields: [.init("NSEntities", value: writer.dictionary([(writer.string("Person"), entity)]))])
        #expect(
            throws: ModelFileError(
                file: "x.mom", entity: "Person", property: "name",
                reason: "a predicate is nested too deep, or in a circle")
        ) {
            try CompiledModelReader.read(writer.data(root: root), from: "x.mom")
        }
    }

    @Test func sharedPredicatesCantMultiplyWithoutBound() throws {
        let writer = KeyedArchiveWriter()
        var predicate = writer.object(["NSTruePredicate", "NSPredicate", "NSObject"], fields: [])
        for _ in 0..<100 {
            predicate = writer.object(
                ["NSCompoundPredicate", "NSPredicate", "NSObject"],
                fields: [
                    .init("NSCompoundPredicateType", value: .integer(1)),
                    .init("NSSubpredicates", value: writer.array([predicate, predicate])),
                ])
        }
        let object = try #require(KeyedArchive(writer.data(root: predicate)).node().object)
        #expect(throws: ArchiveFailure("the archive unfolds to too many objects")) {
            try ArchivedPredicateReader.predicate(object)
        }
    }

    @Test func entitiesThatInheritInACircleEnd() throws {
        let writer = KeyedArchiveWriter()
        let (first, second) = (writer.reserve(), writer.reserve())
        func define(_ place: PropertyList, _ name: String, _ parent: PropertyList) {
            writer.define(
                place, classes: ["NSEntityDescription", "NSObject"],
                fields: [
                    .init("NSEntityName", value: writer.string(name)), .init("NSSuperentity", value: parent),
                ])
        }
        define(first, "A", second)
        define(second, "B", first)
        let root = writer.object(
            ["NSManagedObjectModel", "NSObject"],
            fields: [
                .init(
                    "NSEntities",
                    value: writer.dictionary([(writer.string("A"), first), (writer.string("B"), second)]))
            ])
        let model = try CompiledModelReader.read(writer.data(root: root), from: "x.mom")
        expect(model.entities.map(\.superentityName), equals: ["B", "A"])
        expect(VersionHash.hashes(of: ModelIndex(model)).count, equals: 2)
    }
}
