// Mapping models, made and edited, read back by the library and used in a migration.

import CoreData
import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct MappingDocumentTests {
    private let model: SmallModel

    init() throws {
        model = try SmallModel()
        try model.document.addVersion("Heroes 2", basedOn: "Heroes")
        let root = try #require(model.document.draft[version: "Heroes 2"])
        let hero = try #require(root.children("entity").first { $0.title == "Hero" })
        let name = try #require(hero.properties.first { $0.title == "name" })
        try model.document.edit(
            "Heroes 2",
            commands: [
                .rename(id: name.id, name: "alias", keepsIdentity: nil),
                .add(kind: "attribute", parent: hero.id, name: "shout", values: ["optional": .flag(false)]),
                .add(kind: "entity", parent: nil, name: "Team", values: [:]),
            ])
        try model.document.save()
    }

    private func schema(_ version: String) throws -> ModelSchema {
        try #require(try ModelFile.versions(of: model.url).first { $0.name == version }).schema
    }

    private func fresh(_ file: String = "New.xcmappingmodel") throws -> MappingDocument {
        MappingDocument(
            MappingDraft(from: try schema("Heroes"), to: try schema("Heroes 2")), at: model.folder.file(file))
    }

    private func place(_ name: String, _ document: MappingDocument) throws -> Int {
        try #require(document.draft.mapping.entityMappings.firstIndex { $0.name == name })
    }

    private func value(_ mapping: String, _ property: String, _ document: MappingDocument) throws -> String? {
        let entity = document.draft.mapping.entityMappings[try place(mapping, document)]
        return (entity.attributes + entity.relationships).first { $0.name == property }?.value?.format
    }

    @Test
    func namesAndRenamingIdentifiersFillANewOne() throws {
        let document = try fresh()
        expect(
            document.draft.mapping.entityMappings.map(\.name), equals: ["HeroToHero", "PowerToPower", "Team"])
        expect(document.draft.mapping.entityMappings.map(\.kind), equals: [.transform, .copy, .add])
        try expect(value("HeroToHero", "alias", document), equals: "$source.name")
        #expect(try value("HeroToHero", "shout", document) == nil)
        try expect(value("HeroToHero", "powers", document)?.contains("\"PowerToPower\""), equals: true)
        let checks = MappingCheck.checks(of: document.draft)
        #expect(checks.contains { $0.property == "shout" && $0.severity == .warning })
        #expect(!checks.contains { $0.severity == .error })
    }

    @Test
    func aMappingMadeHereMigratesAStore() throws {
        let store = model.folder.file("Heroes.sqlite")
        let older = NSManagedObjectModel(schema: try schema("Heroes"))
        let newer = NSManagedObjectModel(schema: try schema("Heroes 2"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: older)
        let opened = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        try context.performAndWait {
            context.persistentStoreCoordinator = coordinator
            for name in ["Batman", "Robin"] {
                let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
                hero.setValue(name, forKey: "name")
                let power = NSEntityDescription.insertNewObject(forEntityName: "Power", into: context)
                power.setValue(hero, forKey: "hero")
            }
            try context.save()
        }
        try coordinator.remove(opened)

        let document = try fresh()
        let hero = try place("HeroToHero", document)
        try document.edit(
            [
                .value(mapping: hero, property: "shout", value: "uppercase:($source.name)"),
                .set(mapping: hero, field: "filter", value: "name != 'Robin'"),
                .set(mapping: hero, field: "name", value: "Heroes"),
                .userInfo(mapping: hero, property: "shout", entries: [.init(key: "why", value: "loud")]),
            ], seen: document.change)
        try document.save()
        let read = try NSMappingModel.read(from: document.url)
        expect(read.entityMappings.map(\.name), equals: ["Heroes", "PowerToPower", "Team"])
        let manager = NSMigrationManager(sourceModel: older, destinationModel: newer)
        let target = model.folder.file("New.sqlite")
        try manager.migrateStore(
            from: store, type: .sqlite, mapping: read, to: target, type: .sqlite)
        let after = NSPersistentStoreCoordinator(managedObjectModel: newer)
        _ = try after.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: target, options: nil)
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        try reader.performAndWait {
            reader.persistentStoreCoordinator = after
            let heroes = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Hero"))
            expect(heroes.map { $0.value(forKey: "alias") as? String }, equals: ["Batman"])
            expect(heroes.map { $0.value(forKey: "shout") as? String }, equals: ["BATMAN"])
            let powers = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Power"))
            expect(powers.count, equals: 2)
            expect(powers.filter { $0.value(forKey: "hero") != nil }.count, equals: 1)
        }
    }

    @Test
    func whatIsWrongIsRefusedOrTold() throws {
        let document = try fresh()
        let hero = try place("HeroToHero", document)
        let before = document.draft
        #expect(throws: ModelEditFailure.self) {
            try document.edit(
                [.value(mapping: hero, property: "shout", value: "$source.")], seen: document.change)
        }
        #expect(throws: ModelEditFailure.self) {
            try document.edit([.value(mapping: hero, property: "none", value: "1")], seen: document.change)
        }
        #expect(throws: ModelEditFailure.self) {
            try document.edit([.set(mapping: hero, field: "kind", value: "Add")], seen: document.change)
        }
        #expect(throws: ModelEditFailure.self) {
            try document.edit([.remove(mapping: 99)], seen: document.change)
        }
        expect(document.draft, equals: before)
        try document.edit(
            [
                .value(mapping: hero, property: "shout", value: "$source.title"),
                .value(
                    mapping: hero, property: "powers",
                    value:
                        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'No', $source.powers)"
                ),
                .remove(mapping: try place("PowerToPower", document)),
            ], seen: document.change)
        let messages = MappingCheck.checks(of: document.draft).map(\.message)
        #expect(messages.contains("Hero has no property \"title\"."))
        #expect(messages.contains("There is no mapping \"No\"."))
        #expect(messages.contains { $0.contains("No mapping begins at Power") })
        #expect(throws: ModelEditFailure.self) { try document.edit([], seen: document.change - 1) }
        try document.undo()
        expect(document.draft, equals: before)
    }

    @Test
    func anotherEntityBringsItsProperties() throws {
        let document = try fresh()
        let hero = try place("HeroToHero", document)
        try document.edit([.set(mapping: hero, field: "source", value: nil)], seen: document.change)
        let entity = document.draft.mapping.entityMappings[hero]
        expect(entity.name, equals: "Hero")
        expect(entity.kind, equals: .add)
        try document.edit(
            [
                .set(mapping: hero, field: "source", value: "Power"),
                .set(mapping: hero, field: "policy", value: "App.Policy"),
            ], seen: document.change)
        expect(document.draft.mapping.entityMappings[hero].kind, equals: .custom)
        try document.save()
        let again = try MappingDocument(contentsOf: document.url)
        expect(again.draft.mapping, equals: document.draft.mapping)
        #expect(!again.hasUnsavedEdits)
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, .init(rawValue: SharedFiles.absence)),
        arguments: SharedFiles.paths(under: "mappingmodels", suffix: ".xcmappingmodel"))
    func realOnesAreReadEditedAndWritten(path: String) throws {
        let url = model.folder.file("Real.xcmappingmodel")
        try FileManager.default.copyItem(at: SharedFiles.url(path), to: url)
        let document = try MappingDocument(contentsOf: url)
        let before = document.draft
        #expect(!MappingCheck.checks(of: before).contains { $0.severity == .error })
        let paths = (before.sourcePath, before.destinationPath)
        try document.edit(
            [.userInfo(mapping: 0, property: nil, entries: [.init(key: "a", value: "b")])],
            seen: document.change)
        try document.save()
        try document.edit([.userInfo(mapping: 0, property: nil, entries: [])], seen: document.change)
        try document.save()
        let after = try MappingDocument(contentsOf: url).draft
        expect(after.mapping, equals: before.mapping)
        #expect((after.sourcePath, after.destinationPath) == paths)
    }

    @Test
    func anotherProgramsFileIsNotWrittenOver() throws {
        let document = try fresh()
        try document.save()
        try document.edit(
            [.set(mapping: 0, field: "policy", value: "P")], seen: document.change)
        let file = MappingFile.contents(of: document.url)
        try Data("theirs".utf8).write(to: file)
        #expect(throws: ModelConflict.self) { try document.save() }
        try document.save(overwriting: true)
        try expect(MappingDocument(contentsOf: document.url).draft.mapping, equals: document.draft.mapping)
    }
}
