// Opening, editing, saving real models; nothing but what was edited changes.

import CoreDataFiles
import CoreDataSchema
import CoreDataStudio
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, .init(rawValue: SharedFiles.absence)))
struct RealModelEditTests {
    static let bundles =
        SharedFiles.paths(under: "models", suffix: ".xcdatamodeld")
        + SharedFiles.paths(under: "models", suffix: ".xcdatamodel").filter { !$0.contains(".xcdatamodeld/") }

    /// A copy of a real model, in a folder that goes away.
    static func copy(_ path: String, in folder: TemporaryFolder) throws -> URL {
        let target = folder.file((path as NSString).lastPathComponent)
        try FileManager.default.copyItem(at: SharedFiles.url(path), to: target)
        return target
    }

    static func contents(_ url: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? [] {
            let file = url.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue
            {
                files[name] = try Data(contentsOf: file)
            }
        }
        return files
    }

    @Test(arguments: bundles)
    func anUntouchedModelIsWrittenByteForByte(path: String) throws {
        let folder = try TemporaryFolder()
        let url = try Self.copy(path, in: folder)
        let before = try Self.contents(url)
        let document = try ModelDocument(contentsOf: url)
        guard !document.isReadOnly else {
            expect(document.obstacle?.contains("Xcode 3"), equals: true)
            return
        }
        #expect(document.reformattedVersions.isEmpty)
        try document.save()
        try expect(Self.contents(url), equals: before)
        // An edit and its undoing leave no trace either.
        let version = try #require(document.draft.versions.first)
        guard let entity = version.root.children("entity").first else { return }
        try document.edit(
            version.name,
            commands: [.set(ids: [entity.id], field: "versionHashModifier", value: .text("studio"))])
        try document.save()
        #expect(try Self.contents(url) != before)
        try document.undo()
        try document.save()
        try expect(Self.contents(url), equals: before)
    }

    @Test(arguments: bundles)
    func anEditChangesItsOwnLineOnly(path: String) throws {
        let folder = try TemporaryFolder()
        let url = try Self.copy(path, in: folder)
        let document = try ModelDocument(contentsOf: url)
        guard !document.isReadOnly else { return }
        for version in document.draft.versions {
            guard
                let entity = version.root.children("entity").first(where: {
                    !$0.children("attribute").isEmpty
                }),
                let attribute = entity.children("attribute").first
            else { continue }
            let file = ModelFiles(url).contents(of: version.name)
            let before = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            try document.edit(
                version.name,
                commands: [.set(ids: [attribute.id], field: "versionHashModifier", value: .text("studio"))])
            try document.save()
            let after = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            expect(before.count, equals: after.count)
            expect(zip(before, after).filter { $0 != $1 }.count, equals: 1)
            let schema = try #require(try ModelFile.versions(of: url).first { $0.name == version.name })
                .schema
            let saved = try #require(schema.entities.first { $0.name == entity.title })
            expect(
                saved.properties.first { $0.name == attribute.title }?.versionHashModifier, equals: "studio")
        }
    }

    @Test(arguments: bundles)
    func whatTheLibraryAcceptsHasNoErrors(path: String) throws {
        let document = try ModelDocument(contentsOf: SharedFiles.url(path))
        for version in document.draft.versions {
            let errors = ModelChecker.checks(of: version.root).filter { $0.severity == .error }
            let problems = try ModelFile.versions(of: SharedFiles.url(path)).first { $0.name == version.name }
                .map { ModelValidator.problems(in: $0.schema).filter { $0.severity == .error } }
            if problems?.isEmpty == true {
                #expect(errors.isEmpty, "\(version.name): \(errors.map { "\($0.place): \($0.message)" })")
            } else {
                #expect(!errors.isEmpty)
            }
        }
    }

    /// Every field of every element can be set, and the library reads what was saved.
    @Test(arguments: [
        "models/CoreDataPlus/SampleModel3.xcdatamodeld", "models/MagicalRecord/TestModel.xcdatamodeld",
    ])
    func everyFlagCanBeTurnedAndTurnedBack(path: String) throws {
        let folder = try TemporaryFolder()
        let url = try Self.copy(path, in: folder)
        let document = try ModelDocument(contentsOf: url)
        let version = try #require(document.draft.versions.first)
        func visit(_ node: ModelNode) throws {
            for field in ModelField.all[node.name] ?? []
            where field.kind == .flag && field.key != "toMany" && field.key != "derived"
                && field.applies(to: node)
            {
                let now = try #require(document.draft[version: version.name]?.node(node.id))
                let value = field.value(in: now)
                try document.edit(
                    version.name,
                    commands: [.set(ids: [node.id], field: field.key, value: .flag(value != .flag(true)))]
                )
                let turned = try #require(document.draft[version: version.name]?.node(node.id))
                #expect(field.value(in: turned) != value, "\(field.key) of \(node.title)")
                try document.edit(
                    version.name, commands: [.set(ids: [node.id], field: field.key, value: value)])
            }
            for child in node.children { try visit(child) }
        }
        try visit(version.root)
        try document.save()
        try expect(ModelFile.read(url), equals: ModelFile.read(SharedFiles.url(path)))
    }
}

/// A model file of ours to edit.
struct SmallModel {
    let folder: TemporaryFolder
    let url: URL
    let document: ModelDocument

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Heroes.xcdatamodeld")
        var hero = EntitySchema(name: "Hero")
        hero.className = "Hero"
        hero.codeGeneration = "class"
        var name = PropertySchema(name: "name", kind: .attribute(.init(.string)))
        name.isOptional = false
        var powers = RelationshipTraits(destinationEntityName: "Power", inverseName: "hero")
        powers.deleteRule = .cascade
        hero.properties = [name, PropertySchema(name: "powers", kind: .relationship(powers))]
        hero.uniquenessConstraints = [["name"]]
        var power = EntitySchema(name: "Power")
        power.properties = [
            PropertySchema(name: "title", kind: .attribute(.init(.string))),
            PropertySchema(
                name: "hero",
                kind: .relationship(.init(destinationEntityName: "Hero", inverseName: "powers", maxCount: 1))),
        ]
        var model = ModelSchema(entities: [hero, power])
        model.configurations = [.init(name: "Main", entityNames: ["Hero", "Power"])]
        model.fetchTemplates = [.init(name: "all", request: .init(entityName: "Hero"))]
        try ModelFile.write(model, to: url)
        document = try ModelDocument(contentsOf: url)
    }

    var root: ModelNode { document.draft.versions[0].root }

    func entity(_ name: String) throws -> ModelNode {
        try #require(root.children("entity").first { $0.title == name })
    }

    func property(_ name: String, of entity: String) throws -> ModelNode {
        try #require(try self.entity(entity).properties.first { $0.title == name })
    }

    @discardableResult
    func edit(_ commands: ModelCommand...) throws -> [Int] { try document.edit("Heroes", commands: commands) }

    /// Returns the model that the library reads from the saved file.
    func saved() throws -> ModelSchema {
        try document.save()
        return try ModelFile.read(url)
    }
}

struct ModelDocumentTests {
    @Test
    func aVersionThatCantBeReadIsLeftAsItIs() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Many.xcdatamodeld")
        let model = ModelSchema(entities: [EntitySchema(name: "Hero")])
        try SourceModelBundle.write(
            [
                ModelVersion(name: "1", schema: model, isCurrent: true),
                ModelVersion(name: "2", schema: model),
            ],
            to: url)
        let broken = url.appendingPathComponent("1.xcdatamodel/contents")
        try Data("no XML".utf8).write(to: broken)
        let document = try ModelDocument(contentsOf: url)
        #expect(document.obstacle == nil)
        expect(document.draft.versions.map(\.name), equals: ["2"])
        expect(
            document.unreadableVersions, equals: ["1": "there is text outside of the root element, in line 1"]
        )
        expect(document.filesChangedOnDisk(), equals: [])
        #expect(throws: ModelEditFailure.self) { try document.addVersion("1", basedOn: "2") }
        try document.edit("2", commands: [.add(kind: "entity", parent: nil, name: "Team", values: [:])])
        try document.save()
        try expect(Data(contentsOf: broken), equals: Data("no XML".utf8))
        try expect(
            ModelFile.read(url.appendingPathComponent("2.xcdatamodel")).entities.map(\.name),
            equals: ["Hero", "Team"])
        try Data("no XML".utf8).write(to: url.appendingPathComponent("2.xcdatamodel/contents"))
        #expect(throws: ModelFileError.self) { try ModelDocument(contentsOf: url) }
    }

    @Test
    func undoAndRedoGoThroughAllEdits() throws {
        let model = try SmallModel()
        let start = model.root
        try model.edit(.add(kind: "entity", parent: nil, name: "Team", values: [:]))
        try model.edit(.rename(id: try model.entity("Hero").id, name: "Champion", keepsIdentity: true))
        let end = model.root
        expect(model.document.undoLabel, equals: "renaming of Hero")
        try model.document.undo()
        try model.document.undo()
        expect(model.root, equals: start)
        #expect(!model.document.hasUnsavedEdits)
        try model.document.redo()
        try model.document.redo()
        expect(model.root, equals: end)
        try model.document.undo()
        try model.edit(.add(kind: "configuration", parent: nil, name: "Other", values: [:]))
        #expect(model.document.redoLabel == nil)
    }

    @Test
    func aFailedEditChangesNothing() throws {
        let model = try SmallModel()
        let start = model.root
        #expect(throws: ModelEditFailure.self) {
            try model.edit(
                .add(kind: "entity", parent: nil, name: "Team", values: [:]),
                .rename(id: try model.entity("Hero").id, name: "Power", keepsIdentity: false))
        }
        expect(model.root, equals: start)
        #expect(model.document.undoLabel == nil)
    }

    @Test
    func anotherProgramsChangesAreNoticed() throws {
        let model = try SmallModel()
        let file = ModelFiles(model.url).contents(of: "Heroes")
        try model.edit(.set(ids: [try model.entity("Hero").id], field: "isAbstract", value: .flag(true)))
        #expect(model.document.filesChangedOnDisk().isEmpty)
        let foreign = try String(contentsOf: file, encoding: .utf8).replacing("title", with: "label")
        try foreign.write(to: file, atomically: true, encoding: .utf8)
        expect(model.document.filesChangedOnDisk(), equals: [file.path])
        #expect(throws: ModelConflict.self) { try model.document.save() }
        try expect(String(contentsOf: file, encoding: .utf8), equals: foreign)
        let stale = try model.entity("Hero").id
        try model.document.reload()
        #expect(try model.entity("Power").properties.contains { $0.title == "label" })
        #expect(model.root.node(stale) == nil)
        #expect(!model.document.hasUnsavedEdits)
    }

    @Test
    func savingOverAnotherProgramsChangesIsAChoice() throws {
        let model = try SmallModel()
        let file = ModelFiles(model.url).contents(of: "Heroes")
        try model.edit(.set(ids: [try model.entity("Hero").id], field: "isAbstract", value: .flag(true)))
        try Data("<model/>".utf8).write(to: file)
        try model.document.save(overwriting: true)
        try expect(ModelFile.read(model.url).entities.first { $0.name == "Hero" }?.isAbstract, equals: true)
    }

    @Test
    func versionsAreAddedAndMadeCurrent() throws {
        let model = try SmallModel()
        try model.document.addVersion("Heroes 2", basedOn: "Heroes")
        let hero = try #require(model.document.draft[version: "Heroes 2"]?.children("entity").first)
        try model.document.edit(
            "Heroes 2",
            commands: [
                .add(
                    kind: "attribute", parent: hero.id, name: "age",
                    values: ["attributeType": .text("Integer 16")])
            ])
        #expect(!FileManager.default.fileExists(atPath: ModelFiles(model.url).folder(of: "Heroes 2").path))
        try model.document.setCurrent("Heroes 2")
        let current = try model.saved()
        expect(
            current.entities.first { $0.name == "Hero" }?.properties.contains { $0.name == "age" },
            equals: true)
        let versions = try ModelFile.versions(of: model.url)
        expect(versions.map(\.name), equals: ["Heroes", "Heroes 2"])
        expect(
            versions.first { $0.name == "Heroes" }?.schema.entities.first?.properties.contains {
                $0.name == "age"
            }, equals: false)
        #expect(throws: ModelEditFailure.self) { try model.document.addVersion("heroes", basedOn: "Heroes") }
        #expect(throws: ModelEditFailure.self) { try model.document.addVersion("../x", basedOn: "Heroes") }
    }

    @Test
    func aModelWithoutAFileIsShownOnly() throws {
        var schema = ModelSchema(entities: [EntitySchema(name: "Hero")])
        var traits = AttributeTraits(.binaryData)
        traits.defaultValue = .data(Data([1]))
        schema.entities[0].properties = [PropertySchema(name: "icon", kind: .attribute(traits))]
        let document = try ModelDocument(schema, name: "Model", obstacle: "It is in no file.")
        let hero = try #require(document.draft.versions.first?.root.children("entity").first)
        expect(hero.properties.map(\.title), equals: ["icon"])
        #expect(throws: ModelEditFailure("It is in no file.")) {
            try document.edit("Model", commands: [.remove(ids: [hero.id])])
        }
    }

    @Test
    func unknownElementsAndAttributesStay() throws {
        let model = try SmallModel()
        let file = ModelFiles(model.url).contents(of: "Heroes")
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacing("<entity name=\"Hero\"", with: "<entity name=\"Hero\" future=\"a &amp; b\"")
        try text.write(to: file, atomically: true, encoding: .utf8)
        try model.document.reload()
        try model.edit(.set(ids: [try model.entity("Hero").id], field: "isAbstract", value: .flag(true)))
        try model.document.save()
        let saved = try String(contentsOf: file, encoding: .utf8)
        #expect(saved.contains("<entity name=\"Hero\" future=\"a &amp; b\" representedClassName"))
        #expect(saved.contains("isAbstract=\"YES\""))
    }
}
