// Compiled mapping models: Apple's sample against its source, and what is written against both.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct CompiledMappingTests {
    static let compiled = "compiled/CoreDataPlus/V2toV3.cdm"
    static let source = "mappingmodels/CoreDataPlus/V2toV3.xcmappingmodel"

    @Test func sampleSaysWhatItSays() throws {
        let mapping = try MappingFile.read(SharedFiles.url(Self.compiled))
        expect(
            mapping.entityMappings.map(\.name),
            equals: [
                "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
            ])
        expect(mapping.entityMappings.map(\.kind), equals: [.custom, .custom, .copy, .custom, .add])
        let car = mapping.entityMappings[0]
        expect(car.policyClassName, equals: "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
        expect(car.sourceExpression, equals: EntityMappingSchema.sourceExpression(of: "Car"))
        expect(car.attributes.map(\.name), equals: ["markedForDeletionAsOf", "model", "numberPlate"])
        expect(car.attributes[1].value, equals: .keyPath(.variable("source"), "model"))
        expect(car.relationships.map(\.name), equals: ["createdBy", "owner", "previousOwners"])
        #expect(car.relationships[0].value == nil)
        expect(
            car.relationships[1].value,
            equals: PropertyMappingSchema.destinations(of: "owner", by: "PersonToPerson"))
        let person = mapping.entityMappings[2]
        expect(
            person.relationships[0].value, equals: PropertyMappingSchema.destinations(ofRelationship: "cars"))
        let maker = mapping.entityMappings[4]
        #expect(maker.sourceEntityName == nil && maker.sourceVersionHash == nil)
        #expect(maker.sourceExpression == nil && maker.destinationVersionHash?.count == 32)
    }

    /// The file that Apple's compiler made of the source, and what ours makes of it.
    @Test func sourceCompilesToTheSample() throws {
        let compiled = try MappingFile.read(SharedFiles.url(Self.compiled))
        let source = try MappingFile.read(SharedFiles.url(Self.source))
        expect(source, equals: compiled)
    }

    @Test func whatIsWrittenReadsBackEqual() throws {
        for path in SharedFiles.paths(under: "mappingmodels", suffix: "xcmapping.xml") {
            let url = try SharedFiles.url(path).deletingLastPathComponent()
            let mapping = try MappingFile.read(url)
            let data = try CompiledMappingWriter.data(for: mapping)
            try expect(CompiledMappingReader.read(data, from: "ours"), equals: mapping, "\(path)")
        }
    }

    @Test func writtenArchiveHasTheSamplesStructure() throws {
        let sample = try Data(contentsOf: SharedFiles.url(Self.compiled))
        let mapping = try CompiledMappingReader.read(sample, from: "sample")
        let ours = try CompiledMappingWriter.data(for: mapping)
        let structures = try [sample, ours].map { try Self.structure(KeyedArchive($0).node()) }
        expect(structures[0], equals: structures[1])
        #expect(structures[0].count > 100)
    }

    /// Every path to a field, with the class or the value at its end. Mutable collections equal immutable
    /// ones; pairs of dictionaries have no order.
    private static func structure(_ node: ArchiveNode, _ path: String = "", _ depth: Int = 0) throws
        -> [String]
    {
        guard depth < 60, let object = node.object else { return ["\(path)=\(node)"] }
        if object.isKind(of: "NSDictionary") {
            return try object.pairs().flatMap { key, value in
                try structure(value, "\(path)[\(key.text ?? "")]", depth + 1)
            }.sorted()
        }
        if object.isKind(of: "NSArray") {
            return try object.elements().enumerated().flatMap {
                try structure($0.element, "\(path)[\($0.offset)]", depth + 1)
            }
        }
        return try ["\(path):\(object.classNames)"]
            + object.keys.sorted().flatMap { try structure(object.node($0), "\(path).\($0)", depth + 1) }
    }

    @Test func everythingThatAMappingSaysIsKept() throws {
        let mapping = Self.rich
        let data = try CompiledMappingWriter.data(for: mapping)
        try expect(CompiledMappingReader.read(data, from: "ours"), equals: mapping)
    }

    static var rich: MappingSchema {
        var entity = EntityMappingSchema(name: "Everything", kind: .transform, source: "A", destination: "B")
        entity.sourceVersionHash = Data(repeating: 1, count: 32)
        entity.destinationVersionHash = Data(repeating: 2, count: 32)
        entity.policyClassName = "Module.Policy"
        entity.userInfo = [.string("key"): .integer(3)]
        entity.sourceExpression = EntityMappingSchema.sourceExpression(of: "A", where: "age > 3")
        entity.attributes = [
            .init(name: "constant", value: .constant(.double(2.5)), userInfo: [.string("a"): .string("b")]),
            .init(
                name: "custom",
                value: .function(
                    operand: .variable("entityPolicy"), name: "color:",
                    arguments: [.keyPath(.variable("source"), "c")])
            ), .init(name: "empty"),
        ]
        return MappingSchema(entityMappings: [
            entity, EntityMappingSchema(name: "Gone", kind: .remove, source: "C"),
        ])
    }

    @Test func broken() throws {
        let data = try CompiledMappingWriter.data(for: Self.rich)
        for length in stride(from: 0, to: data.count, by: rounds(19, long: 1)) {
            #expect(throws: ModelFileError.self) {
                try CompiledMappingReader.read(data.prefix(length), from: "cut")
            }
        }
        var random = SeededGenerator(seed: 11)
        var read = 0
        let count = rounds(200, long: 3000)
        for _ in 0..<count {
            var changed = data
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if let mapping = try? CompiledMappingReader.read(changed, from: "changed") {
                read += 1
                _ = try? CompiledMappingWriter.data(for: mapping)
            }
        }
        #expect(read > 0 && read < count)
    }

    @Test func circlesNameTheirPlace() throws {
        let writer = KeyedArchiveWriter()
        let expression = writer.reserve()
        writer.define(
            expression, classes: ["NSFunctionExpression", "NSExpression", "NSObject"],
            fields: [
                .init("NSExpressionType", value: .integer(4)), .init("NSOperand", value: expression),
                .init("NSSelectorName", value: writer.string("x")),
            ])
        let property = writer.object(
            ["NSPropertyMapping", "NSObject"],
            fields: [
                .init("NSDestinationPropertyName", value: writer.string("age")),
                .init("NSValueExpression", value: expression),
            ])
        let entity = writer.object(
            ["NSEntityMapping", "NSObject"],
            fields: [
                .init("NSMappingName", value: writer.string("AToA")),
                .init("NSAttributeMappings", value: writer.array([property])),
            ])
        let root = writer.object(
            ["NSMappingModel", "NSObject"], fields: [.init("NSEntityMappings", value: writer.array([entity]))]
        )
        #expect(
            throws: ModelFileError(
                file: "x.cdm", entity: "AToA", property: "age",
                reason: "an expression is nested too deep, or in a circle")
        ) {
            try CompiledMappingReader.read(writer.data(root: root), from: "x.cdm")
        }
    }

    @Test func equalNamesAndOtherFilesAreRefused() throws {
        let twice = MappingSchema(entityMappings: [.init(name: "A"), .init(name: "A")])
        #expect(throws: ModelFileError(file: "", reason: "two entity mappings have the same name")) {
            try CompiledMappingWriter.data(for: twice)
        }
        #expect(throws: ModelFileError.self) { try MappingFile.read(URL(fileURLWithPath: "/nowhere.cdm")) }
        #expect(throws: ModelFileError.self) { try MappingFile.read(URL(fileURLWithPath: "/x.mom")) }
        #expect(throws: ModelFileError.self) {
            try MappingFile.write(twice, to: URL(fileURLWithPath: "/x.mom"))
        }
        let writer = KeyedArchiveWriter()
        #expect(throws: ModelFileError(file: "x", reason: "the archive holds no mapping model")) {
            try CompiledMappingReader.read(writer.data(root: writer.array([])), from: "x")
        }
    }
}
