// Compiled models of real source models, and mistakes in models.

import CoreDataFiles
import CoreDataGenerator
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ModelCompilerTests {
    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func everyVersionIsCompiledAndClassesGetTheModule() throws {
        let folder = try TemporaryFolder()
        let url = try SharedFiles.url("models/LoopKit/DeviceLog.xcdatamodeld")
        let model = try SourceModel(contentsOf: url)
        expect(model.name, equals: "DeviceLog")
        let output = folder.file("DeviceLog.momd")
        try ModelCompiler.compile(model, module: "App", to: output)

        let compiled = try ModelFile.versions(of: output)
        let sources = try ModelFile.versions(of: url)
        expect(compiled.map(\.name), equals: sources.map(\.name))
        expect(compiled.map(\.isCurrent), equals: sources.map(\.isCurrent))
        let entry = try #require(compiled.first?.schema.entities.first { $0.name == "Entry" })
        expect(entry.className, equals: "App.DeviceLogEntry")
        for (one, other) in zip(compiled, sources) {
            expect(
                VersionHash.hashes(of: ModelIndex(one.schema)).mapValues(\.data),
                equals: VersionHash.hashes(of: ModelIndex(other.schema)).mapValues(\.data))
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func mappingModelsAreCompiled() throws {
        let folder = try TemporaryFolder()
        let source = try SharedFiles.url("mappingmodels/objcio/Moody 2-Moody 3.xcmappingmodel")
        try ModelCompiler.compile(mapping: source, to: folder.file("Moody.cdm"))
        let compiled = try MappingFile.read(folder.file("Moody.cdm")).entityMappings.map(\.name)
        #expect(try compiled == MappingFile.read(source).entityMappings.map(\.name) && !compiled.isEmpty)
    }

    @Test func aMappingModelThatIsNoneIsAnErrorWithItsFile() throws {
        let folder = try TemporaryFolder()
        let failure = #expect(throws: GenerationFailure.self) {
            try ModelCompiler.compile(
                mapping: folder.file("Gone.xcmappingmodel"), to: folder.file("Gone.cdm"))
        }
        expect(failure?.description.contains("Gone.xcmappingmodel"), equals: true)
        #expect(!FileManager.default.fileExists(atPath: folder.file("Gone.cdm").path))
    }

    @Test func classesThatTheModuleDeclaresGetItsName() throws {
        let model = try ModelText(
            """
            <entity name="Hero" representedClassName="Hero"/>
            <entity name="Power" representedClassName="Power"/>
            <entity name="Tool" representedClassName="Kit.Tool"/>
            <entity name="Plain"/>
            """)
        let folder = try TemporaryFolder()
        let output = folder.file("Heroes.momd")
        try ModelCompiler.compile(
            SourceModel(contentsOf: model.url), module: "App", classes: ["Hero", "Tool"], to: output)
        let names = try ModelFile.read(output).entities.sorted { $0.name < $1.name }.map(\.className)
        expect(names, equals: ["App.Hero", nil, "Power", "Kit.Tool"])
    }

    @Test func aModelWithoutVersionsIsOneFile() throws {
        let folder = try TemporaryFolder()
        let text = try ModelText("<entity name=\"Hero\" representedClassName=\"Hero\"/>")
        let model = try SourceModel(contentsOf: text.url)
        let output = folder.file("Heroes.mom")
        try ModelCompiler.compile(model, module: "App", classes: ["Hero"], to: output)
        var isFolder: ObjCBool = true
        #expect(FileManager.default.fileExists(atPath: output.path, isDirectory: &isFolder))
        #expect(!isFolder.boolValue)
        try expect(ModelFile.read(output).entities.map(\.className), equals: ["App.Hero"])
    }

    /// A source with one version seldom says that it is the current one.
    @Test(arguments: [true, false]) func theCurrentVersionIsNamedAsInTheSource(_ isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Dogs.xcdatamodeld")
        let dog = ModelSchema(entities: [EntitySchema(name: "Dog")])
        try SourceModelBundle.write([ModelVersion(name: "A", schema: dog, isCurrent: true)], to: url)
        if !isNamed {
            try FileManager.default.removeItem(at: url.appendingPathComponent(".xccurrentversion"))
        }
        let output = folder.file("Dogs.momd")
        try ModelCompiler.compile(SourceModel(contentsOf: url), module: nil, to: output)
        let data = try Data(contentsOf: output.appendingPathComponent("VersionInfo.plist"))
        let list = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        expect(list["NSManagedObjectModel_CurrentVersionName"] as? String, equals: isNamed ? "A" : nil)
        expect((list["NSManagedObjectModel_VersionHashes"] as? [String: Any])?.keys.sorted(), equals: ["A"])
        try expect(ModelFile.versions(of: output).map(\.isCurrent), equals: [true])
    }

    @Test func mistakesNameFileEntityAndProperty() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Wrong.xcdatamodel")
        var relationship = PropertySchema(
            name: "owner", kind: .relationship(RelationshipTraits(destinationEntityName: "Nobody")))
        relationship.isOptional = true
        let schema = ModelSchema(entities: [EntitySchema(name: "Dog", properties: [relationship])])
        try ModelFile.write(schema, to: url)
        let failure = try #require(throws: GenerationFailure.self) { try SourceModel(contentsOf: url) }
        #expect(failure.problems.allSatisfy { $0.severity == .error })
        #expect(
            failure.description.contains(
                "Wrong.xcdatamodel: error: entity Dog, property owner: the destination entity \"Nobody\""))
    }

    @Test func doubtsAreWarnings() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Doubtful.xcdatamodel")
        let relationship = PropertySchema(
            name: "self", kind: .attribute(AttributeTraits(.string)))
        try ModelFile.write(
            ModelSchema(entities: [EntitySchema(name: "Dog", properties: [relationship])]), to: url)
        let warning = try #require(try SourceModel(contentsOf: url).warnings.first)
        expect(warning.severity, equals: .warning)
        expect(warning.entity, equals: "Dog")
        expect(warning.property, equals: "self")
        #expect(warning.description.contains("Doubtful.xcdatamodel: warning: entity Dog, property self: "))
    }

    @Test func filesThatAreNoModelsAreErrors() throws {
        let folder = try TemporaryFolder()
        let failure = try #require(throws: GenerationFailure.self) {
            try SourceModel(contentsOf: folder.file("None.xcdatamodeld"))
        }
        expect(failure.problems.count, equals: 1)
        let empty = folder.file("Empty.xcdatamodeld")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let reason = try #require(throws: GenerationFailure.self) { try SourceModel(contentsOf: empty) }
        #expect(reason.description.hasSuffix("Empty.xcdatamodeld: error: there is no version inside"))
        expect(failure.problems.first?.file.hasSuffix("None.xcdatamodeld"), equals: true)
    }

    /// A bundle with the current version B and these contents of version A.
    private func bundle(older contents: String, in folder: TemporaryFolder) throws -> URL {
        let url = folder.file("Dogs.xcdatamodeld")
        let dog = ModelSchema(entities: [EntitySchema(name: "Dog")])
        try SourceModelBundle.write(
            [
                ModelVersion(name: "A", schema: dog), ModelVersion(name: "B", schema: dog, isCurrent: true),
            ], to: url)
        try Data(contents.utf8).write(to: url.appendingPathComponent("A.xcdatamodel/contents"))
        return url
    }

    @Test(
        arguments: [
            ("no XML", nil, "there is text outside of the root element"),
            ("<model><entity/></model>", nil, "<entity> number 1 has no"),
            (
                "<model><entity name=\"Dog\"><relationship name=\"r\" destinationEntity=\"Cat\"/></entity></model>",
                "Dog", "the destination entity \"Cat\" does not exist"
            ),
        ] as [(String, String?, String)])
    func anOlderVersionWithMistakesIsLeftOutWithAWarning(
        _ contents: String, _ entity: String?, _ reason: String
    ) throws {
        let folder = try TemporaryFolder()
        let url = try bundle(older: contents, in: folder)
        let model = try SourceModel(contentsOf: url)
        let warning = try #require(model.warnings.first)
        expect(warning.severity, equals: .warning)
        expect(warning.file, equals: url.appendingPathComponent("A.xcdatamodel").path)
        expect(warning.entity, equals: entity)
        #expect(warning.message.contains(reason))
        #expect(warning.message.hasSuffix(": this version is left out"))
        let output = folder.file("Dogs.momd")
        try ModelCompiler.compile(model, module: nil, to: output)
        try expect(ModelFile.versions(of: output).map(\.name), equals: ["B"])
    }

    @Test func aCurrentVersionWithMistakesIsAnError() throws {
        let folder = try TemporaryFolder()
        let url = try bundle(older: "<model/>", in: folder)
        try Data("<model><entity/></model>".utf8).write(
            to: url.appendingPathComponent("B.xcdatamodel/contents"))
        let failure = try #require(throws: GenerationFailure.self) { try SourceModel(contentsOf: url) }
        #expect(failure.description.contains("B.xcdatamodel: error: <entity> number 1 has no \"name\""))
    }

    @Test func remarksOnTheSourceAreWarnings() throws {
        let text = try ModelText(
            "<entity name=\"Dog\"><attribute name=\"age\" attributeType=\"Integer 16\" "
                + "defaultValueString=\"NO\"/></entity>")
        let model = try SourceModel(contentsOf: text.url)
        expect(
            model.warnings.map(\.message), equals: ["\"defaultValueString\" is \"NO\", which is taken for 0"])
        expect(model.warnings.map(\.property), equals: ["age"])
    }
}
