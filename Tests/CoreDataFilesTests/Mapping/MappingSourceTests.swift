// Sources of mapping models: the samples, and what is written against them.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
struct MappingSourceTests {
    static let files = SharedFiles.paths(under: "mappingmodels", suffix: "xcmapping.xml")

    private static func source(_ path: String) throws -> MappingSource {
        try MappingSourceReader.read(Data(contentsOf: SharedFiles.url(path)), from: path)
    }

    @Test(arguments: files) func samplesCompile(_ path: String) throws {
        let source = try Self.source(path)
        let mapping = try source.compiled()
        #expect(!mapping.entityMappings.isEmpty)
        let old = VersionHash.hashes(of: ModelIndex(source.source))
        let new = VersionHash.hashes(of: ModelIndex(source.destination))
        for entity in mapping.entityMappings {
            expect(entity.sourceVersionHash, equals: entity.sourceEntityName.flatMap { old[$0]?.data })
            expect(
                entity.destinationVersionHash, equals: entity.destinationEntityName.flatMap { new[$0]?.data })
            #expect(entity.kind != .undefined)
            expect((entity.sourceExpression == nil), equals: (entity.sourceEntityName == nil))
        }
    }

    @Test(arguments: files) func whatIsWrittenReadsBackEqual(_ path: String) throws {
        let source = try Self.source(path)
        let mapping = try source.compiled()
        let data = try MappingSourceWriter.data(for: mapping, from: source.source, to: source.destination)
        let read = try MappingSourceReader.read(data, from: "ours")
        try expect(read.compiled(), equals: mapping)
    }

    /// Objects, attributes and relationships of the same names and types; nothing that the sample doesn't have.
    @Test(arguments: files) func writtenDocumentHasTheSamplesStructure(_ path: String) throws {
        let source = try Self.source(path)
        let data = try MappingSourceWriter.data(
            for: source.compiled(), from: source.source, to: source.destination)
        let sample = try Self.structure(XMLTreeReader.read(Data(contentsOf: SharedFiles.url(path))))
        let ours = try Self.structure(XMLTreeReader.read(data))
        // Xcode knows the paths of the models and which mapping another's objects come from in words.
        expect(ours.subtracting(sample), equals: Self.spelledOut.intersection(ours.subtracting(sample)))
        let lost = sample.subtracting(ours).filter {
            !$0.contains("path") && !$0.contains("sourcemappingname")
        }
        expect(lost, equals: [])
    }

    /// The keys that a file may state in words, or in an expression.
    private static let spelledOut: Set<String> = [
        "XDDEVRELATIONSHIPMAPPING attribute valueexpressiondata binary "
    ]

    private static func structure(_ root: XMLTree) -> Set<String> {
        var found: Set<String> = []
        for object in root.children where object.name == "object" {
            for child in object.children where child.name != "attribute" || !child.text.isEmpty {
                let words = [child["name"], child["type"], child["destination"]].map { $0 ?? "" }
                found.insert("\(object["type"] ?? "") \(child.name) " + words.joined(separator: " "))
            }
        }
        return found
    }

    @Test func entitiesAndPropertiesThatTheModelsDontHaveAreErrors() throws {
        let text = """
            <database><object type="XDDEVMAPPINGMODEL" id="z1"><attribute name="sourcemodeldata" type="binary">\
            \(try Self.model("A"))</attribute><attribute name="destinationmodeldata" type="binary">\
            \(try Self.model("A"))</attribute><relationship name="entitymappings" type="0/0" idrefs="z2"/></object>\
            <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename" type="string">B</attribute>\
            </object></database>
            """
        let source = try MappingSourceReader.read(Data(text.utf8), from: "x")
        #expect(
            throws: ModelFileError(file: "", entity: "B", reason: "the source model has no entity \"B\"")
        ) { try source.compiled() }
        let dangling = text.replacingOccurrences(of: "idrefs=\"z2\"", with: "idrefs=\"z3\"")
        #expect(
            throws: ModelFileError(file: "x", reason: "entitymappings names no object with \"z3\"")
        ) { try MappingSourceReader.read(Data(dangling.utf8), from: "x") }
        let odd = text.replacingOccurrences(
            of: "</object></database>",
            with: "<attribute name=\"mappingtypename\" type=\"string\">Odd</attribute></object></database>")
        #expect(
            throws: ModelFileError(file: "x", entity: "B", reason: "the mapping's type is unknown: \"Odd\"")
        ) { try MappingSourceReader.read(Data(odd.utf8), from: "x") }
    }

    private static func model(_ entity: String) throws -> String {
        try CompiledModelWriter.data(for: ModelSchema(entities: [EntitySchema(name: entity)]))
            .base64EncodedString()
    }

    @Test func brokenFilesNeverTrap() throws {
        let path = "mappingmodels/CoreStore/Advanced.EvolutionDemo.V2.FromV1.xcmappingmodel/xcmapping.xml"
        let data = try Data(contentsOf: SharedFiles.url(path))
        for length in stride(from: 0, to: data.count - 20, by: rounds(397, long: 97)) {
            #expect(throws: ModelFileError.self) {
                try MappingSourceReader.read(data.prefix(length), from: "cut")
            }
        }
        var random = SeededGenerator(seed: 5)
        var read = 0
        let count = rounds(40, long: 2000)
        for _ in 0..<count {
            var changed = data
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
                    in: 32...126, using: &random)
            }
            if let mapping = try? MappingSourceReader.read(changed, from: "changed").compiled() {
                read += 1
                _ = try? CompiledMappingWriter.data(for: mapping)
            }
        }
        #expect(read < count)
    }

    @Test func everythingThatAMappingSaysIsKept() throws {
        func attribute(_ name: String) -> PropertySchema {
            PropertySchema(name: name, kind: .attribute(AttributeTraits(.string)))
        }
        let source = ModelSchema(entities: [
            EntitySchema(name: "A", properties: [attribute("c"), attribute("empty")]),
            EntitySchema(name: "C"),
        ])
        let destination = ModelSchema(entities: [EntitySchema(name: "B")])
        var mapping = CompiledMappingTests.rich
        let (old, new) = (
            VersionHash.hashes(of: ModelIndex(source)), VersionHash.hashes(of: ModelIndex(destination))
        )
        mapping.entityMappings[0].sourceVersionHash = old["A"]?.data
        mapping.entityMappings[0].destinationVersionHash = new["B"]?.data
        mapping.entityMappings[1].sourceVersionHash = old["C"]?.data
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("Rich.xcmappingmodel")
        try MappingFile.write(mapping, from: source, to: destination, at: file)
        try expect(MappingFile.read(file), equals: mapping)
        let compiled = folder.url.appendingPathComponent("Rich.cdm")
        try MappingFile.write(mapping, from: source, to: destination, at: compiled)
        try expect(MappingFile.read(compiled), equals: mapping)
        mapping.entityMappings[0].sourceVersionHash = Data()
        #expect(throws: ModelFileError.self) {
            try MappingFile.write(mapping, from: source, to: destination, at: file)
        }
    }
}
