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
        #expect(model.name == "DeviceLog")
        let output = folder.file("DeviceLog.momd")
        try ModelCompiler.compile(model, module: "App", to: output)

        let compiled = try ModelFile.versions(of: output)
        let sources = try ModelFile.versions(of: url)
        #expect(compiled.map(\.name) == sources.map(\.name))
        #expect(compiled.map(\.isCurrent) == sources.map(\.isCurrent))
        let entry = try #require(compiled.first?.schema.entities.first { $0.name == "Entry" })
        #expect(entry.className == "App.DeviceLogEntry")
        for (one, other) in zip(compiled, sources) {
            #expect(
                VersionHash.hashes(of: ModelIndex(one.schema)).mapValues(\.data)
                    == VersionHash.hashes(of: ModelIndex(other.schema)).mapValues(\.data))
        }
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
        #expect(names == ["App.Hero", nil, "Power", "Kit.Tool"])
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
        #expect(warning.severity == .warning)
        #expect(warning.entity == "Dog")
        #expect(warning.property == "self")
        #expect(warning.description.contains("Doubtful.xcdatamodel: warning: entity Dog, property self: "))
    }

    @Test func filesThatAreNoModelsAreErrors() throws {
        let folder = try TemporaryFolder()
        let failure = try #require(throws: GenerationFailure.self) {
            try SourceModel(contentsOf: folder.file("None.xcdatamodeld"))
        }
        #expect(failure.problems.count == 1)
        let empty = folder.file("Empty.xcdatamodeld")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let reason = try #require(throws: GenerationFailure.self) { try SourceModel(contentsOf: empty) }
        #expect(reason.description.hasSuffix("Empty.xcdatamodeld: error: there is no version inside"))
        #expect(failure.problems.first?.file.hasSuffix("None.xcdatamodeld") == true)
    }
}
