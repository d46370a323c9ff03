import CoreData
import CoreDataTestSupport
import Testing

@Suite struct MigrationPlanTests {
    private func model(_ attributes: [String], to count: NSRelationshipDescription.Count)
        -> NSManagedObjectModel
    {
        let note = NSEntityDescription(
            "Note", attributes.map { NSAttributeDescription($0, .stringAttributeType) })
        let tag = NSEntityDescription("Tag", NSAttributeDescription.all(("word", .stringAttributeType)))
        NSRelationshipDescription.connect(note, "tags", count, tag, "notes", .many)
        let model = NSManagedObjectModel()
        model.entities = [note, tag]
        return model
    }

    @Test func stepsTellWhatIsLostAndChangeNothing() throws {
        let older = model(["text", "mood"], to: .many)
        let stack = try TestStack(model: older)
        try stack.context.run { () throws in
            let tags = ["a", "b"].map { stack.context.make("Tag", ["word": $0]) }
            _ = stack.context.make("Note", ["mood": "good", "tags": Set(tags)])
            _ = stack.context.make("Note", ["text": "plain"])
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        let before = try Data(contentsOf: stack.url)
        let newer = model(["text", "size"], to: .one)
        let steps = try NSPersistentStoreCoordinator.migrationSteps(forStoreAt: stack.url, to: newer)
        let lost = steps.filter(\.losesData)
        expect(lost.map(\.summary), equals: ["drop Note.mood", "keep one member of Note.tags"])
        expect(lost.map(\.count), equals: [1, 2])
        expect(lost[0], equals: PlannedMigrationStep(summary: "drop Note.mood", count: 1, losesData: true))
        #expect(steps.contains { $0.summary.hasPrefix("add to ZNOTE") && !$0.losesData && $0.count == nil })
        try expect(Data(contentsOf: stack.url), equals: before)
        let stated = try NSPersistentStoreCoordinator.migrationSteps(
            forStoreAt: stack.url, from: older, to: newer)
        expect(stated, equals: steps)
        #expect(try NSPersistentStoreCoordinator.migrationSteps(forStoreAt: stack.url, to: older).isEmpty)
    }

    /// A relationship that leads to another entity than before, as the former one is gone, loses its links.
    @Test func relationshipsWithoutTheirFormerDestinationAreTold() throws {
        func model(_ destination: String, was former: String?) -> NSManagedObjectModel {
            let note = NSEntityDescription("Note", [NSAttributeDescription("text", .stringAttributeType)])
            let other = NSEntityDescription(destination)
            NSRelationshipDescription.connect(note, "target", .one, other, "notes", .many)
            let renamed = NSRelationshipDescription(former == nil ? "marks" : "labels", to: other, .many)
            renamed.renamingIdentifier = former
            note.properties.append(renamed)
            let model = NSManagedObjectModel()
            model.entities = [note, other]
            return model
        }
        let (older, newer) = (model("Tag", was: nil), model("Place", was: "marks"))
        let stack = try TestStack(model: older)
        try stack.context.run { () throws in
            let tags = (0..<3).map { _ in stack.context.make("Tag", [:]) }
            _ = stack.context.make("Note", ["text": "a", "target": tags[0], "marks": Set(tags[1...])])
            _ = stack.context.make("Note", ["text": "b", "target": tags[0]])
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        let steps = try NSPersistentStoreCoordinator.migrationSteps(forStoreAt: stack.url, to: newer)
        expect(
            Set(steps.filter(\.losesData).map { "\($0.summary): \($0.count ?? -1)" }),
            equals: [
                "drop entity Tag: 3", "empty Note.labels, whose destination Tag is gone: 2",
                "empty Note.target, whose destination Tag is gone: 2",
            ])
        let changes = try newer.changes(since: older)
        #expect(changes.contains("~ Note.target: starts empty, as its former destination Tag is gone"))
        #expect(changes.contains("~ Note.labels: starts empty, as its former destination Tag is gone"))
        #expect(!changes.contains { $0.hasPrefix("+ Note") || $0.hasPrefix("- Note") })
        try NSPersistentStoreCoordinator.migrateStore(at: stack.url, to: newer)
        let opened = try OpenStore(stack.url, newer)
        let notes = try opened.context.all("Note")
        #expect(notes.count == 2 && notes.allSatisfy { $0.value(forKey: "target") == nil })
        try expect(opened.coordinator.verify(opened.store), equals: [])
        try opened.close()
    }

    @Test func stepsAreToldAsTheyBegin() throws {
        let (older, newer) = (model(["text", "mood"], to: .many), model(["text", "size"], to: .one))
        let stack = try TestStack(model: older)
        try stack.context.run { () throws in
            _ = stack.context.make("Note", ["text": "plain"])
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        let planned = try NSPersistentStoreCoordinator.migrationSteps(forStoreAt: stack.url, to: newer)
        // The store says nothing of its own version any more, so it has to be stated.
        try RawDatabase(stack.url).run("DELETE FROM Z_MODELCACHE")
        var told: [[Int]] = []
        try NSPersistentStoreCoordinator.migrateStore(at: stack.url, from: older, to: newer) { step, count in
            told.append([step, count])
        }
        expect(told, equals: planned.indices.map { [$0, planned.count] })
        let opened = try OpenStore(stack.url, newer)
        try expect(opened.context.all("Note").map { $0.value(forKey: "text") as? String }, equals: ["plain"])
        try opened.close()
    }

    @Test func changesAreALineEach() throws {
        let (older, newer) = (model(["text", "mood"], to: .many), model(["text", "size"], to: .one))
        try expect(
            newer.changes(since: older),
            equals: [
                "- Note.mood", "+ Note.size",
                "~ Note.tags: is to-one now: of several members the first stays", "~ Note.tags: other counts",
            ])
        #expect(try newer.changes(since: newer).isEmpty)
        let other = model(["text", "mood"], to: .many)
        other.entitiesByName["Note"]?.attributesByName["text"]?.attributeType = .integer16AttributeType
        let error = #expect(throws: NSError.self) { _ = try other.changes(since: older) }
        expect(error?.code, equals: NSInferredMappingModelError)
    }

    /// What a client's class keeps isn't touched, nor is it said to be migrated.
    @Test(arguments: [StoreKind.atomic, .incremental, .binary])
    func storesThatArentMigratedInPlaceAreRefused(_ kind: StoreKind) throws {
        let older = model(["text"], to: .many)
        let container = try kind.makeContainer(older)
        let url = try #require(container.store.url)
        try container.persistentStoreCoordinator.remove(container.store)
        let before = kind.hasFile ? try? Data(contentsOf: url) : nil
        let newer = model(["text", "size"], to: .many)
        let type = NSPersistentStore.StoreType(rawValue: kind.type)
        let planned = #expect(throws: NSError.self) {
            _ = try NSPersistentStoreCoordinator.migrationSteps(
                forStoreAt: url, type: type, from: older, to: newer)
        }
        expect(planned?.code, equals: NSMigrationError)
        let refused = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.migrateStore(at: url, type: type, from: older, to: newer)
        }
        expect(refused?.code, equals: NSMigrationError)
        if kind.hasFile { expect((try? Data(contentsOf: url)), equals: before) }
    }

    @Test func aFileThatIsNoStoreIsAnError() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("None.sqlite")
        #expect(throws: NSError.self) {
            _ = try NSPersistentStoreCoordinator.migrationSteps(forStoreAt: url, to: model([], to: .one))
        }
    }
}
