// Stores that move to other places and types, are replaced, destroyed, removed and added again.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSPersistentStoreCoordinatorMovingTests {
    /// The notifications that observers were told of. Unchecked because they are called on the test's thread.
    private final class Seen: @unchecked Sendable {
        var removed: [URL] = []
        var changes: [[Any]] = []
    }

    /// The kinds whose rows can be in any other.
    static let kinds = StoreKind.allCases

    /// Two companies, people with ordered notes and projects, one deleted, so that keys have a gap.
    private func fill(_ context: NSManagedObjectContext, people: Int = 3) throws {
        try context.run {
            let acme = context.make("Company", ["name": "Acme", "budget": Decimal(string: "1.25") as Any])
            let project = context.make("Project", ["title": "P"])
            let gone = context.make("Person", ["name": "gone"])
            var first: NSManagedObject?
            for number in 0..<people {
                let entity = number % 2 == 0 ? "Person" : "Employee"
                let person = context.make(
                    entity, ["name": "n\(number)", "age": number, "photo": Data([1, 2]), "tags": ["t"]])
                person.setValue(acme, forKey: "company")
                person.setValue(first, forKey: "spouse")
                person.mutableSetValue(forKey: "projects").add(project)
                let notes = ["c", "a", "b"].map { context.make("Note", ["text": $0]) }
                person.setValue(NSOrderedSet(array: notes), forKey: "notes")
                first = first ?? person
            }
            try context.save()
            context.delete(gone)
            first?.setValue("first", forKey: "name")
            try context.save()
        }
    }

    /// Returns the contents of a store, without its keys.
    private func contents(_ context: NSManagedObjectContext) throws -> [String] {
        try context.run {
            var lines: [String] = []
            for person in try context.all("Person", sort: "age") {
                let notes = (person.value(forKey: "notes") as? NSOrderedSet)?.array ?? []
                let projects = person.value(forKey: "projects") as? Set<NSManagedObject> ?? []
                lines.append(
                    [
                        person.entity.name ?? "", person.text("name") ?? "-",
                        "\(person.value(forKey: "photo") as? Data ?? Data())",
                        "\(person.value(forKey: "tags") as? [String] ?? [])",
                        (person.value(forKey: "company") as? NSManagedObject)?.text("name") ?? "-",
                        (person.value(forKey: "spouse") as? NSManagedObject)?.text("name") ?? "-",
                        notes.map { ($0 as? NSManagedObject)?.text("text") ?? "-" }.joined(),
                        projects.map { $0.text("title") ?? "-" }.joined(),
                    ].joined(separator: " "))
            }
            let counts = try ["Company", "Note", "Project"].map { try context.all($0).count }
            return lines + ["\(counts)"]
        }
    }

    @Test(arguments: kinds, kinds)
    func everythingMovesFromEachKindToEach(_ source: StoreKind, _ target: StoreKind) throws {
        let container = try source.makeContainer()
        try fill(container.newBackgroundContext())
        let before = try contents(container.newBackgroundContext())
        let old = container.store
        old.metadata = (old.metadata ?? [:]).merging(["colour": "red"]) { $1 }
        let url =
            try StoreKind.place(target.type, container.folder, "moved") ?? container.folder.file("moved")
        let coordinator = container.persistentStoreCoordinator
        let moved = try coordinator.migratePersistentStore(old, to: url, options: nil, withType: target.type)
        expect(coordinator.persistentStores, equals: [moved])
        #expect(moved.type == target.type && moved.url == url)
        #expect(moved.identifier != old.identifier)
        expect(moved.metadata["colour"] as? String, equals: "red")
        try expect(contents(container.newBackgroundContext()), equals: before)
        // New rows find keys of their own.
        let context = container.newBackgroundContext()
        try context.run {
            _ = context.make("Person", ["age": 99])
            try context.save()
        }
        let after = try contents(container.newBackgroundContext())
        expect(after.count, equals: before.count + 1)
        guard target.hasFile else { return }
        let again = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try again.addPersistentStore(ofType: target.type, configurationName: nil, at: url)
        try expect(contents(StoreFixtures.context(again)), equals: after)
        if StoreKind.inFiles.contains(source) {
            #expect(FileManager.default.fileExists(atPath: try #require(old.url).path))
        }
    }

    @Test(
        arguments: [StoreKind.sqlite, .inMemory, .binary, .xml], [StoreKind.sqlite, .inMemory, .binary, .xml])
    func objectsOfContextsMoveToo(_ source: StoreKind, _ target: StoreKind) throws {
        let container = try source.makeContainer()
        try fill(container.newBackgroundContext())
        let context = container.newBackgroundContext()
        try context.run {
            let person = try #require(try context.all("Person", "name == 'first'").first)
            let company = try #require(person.value(forKey: "company") as? NSManagedObject)
            let oldID = person.objectID
            let oldURI = oldID.uriRepresentation()
            let changed = try #require(try context.all("Person", "name == 'n1'").first)
            changed.setValue("changed", forKey: "name")
            let new = context.make("Note", ["text": "new"])
            new.setValue(person, forKey: "author")
            let moved = try container.persistentStoreCoordinator.migratePersistentStore(
                container.store, to: container.folder.file("moved"), type: .init(rawValue: target.type))
            #expect(company.isFault || company.text("name") == "Acme")
            expect(company.text("name"), equals: "Acme")
            #expect(person.objectID.persistentStore === moved)
            #expect(person.objectID.uriRepresentation() != oldURI)
            #expect(try context.existingObject(with: oldID) === person)
            try context.save()
            context.refresh(person, mergeChanges: false)
            expect(person.text("name"), equals: "first")
            expect((person.value(forKey: "notes") as? NSOrderedSet)?.count, equals: 4)
            let other = container.newBackgroundContext()
            try expect(other.run { try other.all("Person", "name == 'changed'").count }, equals: 1)
        }
    }

    @Test func observersLearnWhichObjectsHaveWhichIDs() throws {
        let container = try StoreKind.sqlite.makeContainer()
        try fill(container.newBackgroundContext())
        let coordinator = container.persistentStoreCoordinator
        let old = container.store
        let seen = Seen()
        let oldIdentifier = old.identifier
        let center = NotificationCenter.default
        let observers = [
            center.addObserver(
                forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil
            ) { note in
                guard (note.object as? NSPersistentStore)?.persistentStoreCoordinator === coordinator else {
                    return
                }
                let stores = note.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] ?? []
                seen.removed += stores.compactMap(\.url)
            },
            center.addObserver(
                forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
            ) { note in
                seen.changes.append(note.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any] ?? [])
            },
        ]
        defer { observers.forEach(center.removeObserver) }
        let url = container.folder.file("moved.sqlite")
        let new = try coordinator.migratePersistentStore(old, to: url, type: .sqlite)
        expect(seen.removed, equals: [old.url, url])
        let change = seen.changes
        expect(change.count, equals: 1)
        #expect(change[0][0] as? NSPersistentStore === old && change[0][1] as? NSPersistentStore === new)
        let ids = try #require(change[0][2] as? [NSManagedObjectID])
        // One company, one project, three people, nine notes.
        expect(ids.count, equals: 28)
        for pair in stride(from: 0, to: ids.count, by: 2) {
            expect(ids[pair].uriRepresentation().host, equals: oldIdentifier)
            expect(ids[pair + 1].uriRepresentation().host, equals: new.identifier)
            expect(ids[pair].uriRepresentation().path, equals: ids[pair + 1].uriRepresentation().path)
        }
    }

    @Test func aStoreMovesBesideOthersOfItsConfiguration() throws {
        let folder = try TemporaryFolder()
        let model = StoreFixtures.model()
        let tag = NSEntityDescription("Tag")
        tag.properties = [NSAttributeDescription("title", .string)]
        model.setEntities(model.entities, forConfigurationName: "People")
        model.entities.append(tag)
        model.setEntities([tag], forConfigurationName: "Tags")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let people = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "People", at: folder.file("people"))
        let tags = try coordinator.addPersistentStore(
            ofType: NSXMLStoreType, configurationName: "Tags", at: folder.file("tags"))
        try StoreFixtures.save(["Anna"], to: coordinator)
        let moved = try coordinator.migratePersistentStore(people, to: folder.file("p.xml"), type: .xml)
        expect(coordinator.persistentStores, equals: [moved, tags])
        expect(moved.configurationName, equals: "People")
        let context = StoreFixtures.context(coordinator)
        try expect(context.run { try context.all("Person").map { $0.text("name") } }, equals: ["Anna"])
    }

    @Test func externalDataMovesWithItsRows() throws {
        let folder = try TemporaryFolder()
        let (coordinator, store) = try StoreFixtures.open(folder.file("a.sqlite"))
        let portrait = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let context = StoreFixtures.context(coordinator)
        try context.run {
            context.make("Person", ["name": "Anna"]).setValue(portrait, forKey: "portrait")
            try context.save()
        }
        let second = try coordinator.migratePersistentStore(store, to: folder.file("b.sqlite"), type: .sqlite)
        try coordinator.destroyPersistentStore(at: folder.file("a.sqlite"), type: .sqlite)
        let external = folder.file(".b_SUPPORT/_EXTERNAL_DATA").path
        try expect(FileManager.default.contentsOfDirectory(atPath: external).count, equals: 1)
        let third = try coordinator.migratePersistentStore(second, to: folder.file("c"), type: .binary)
        try coordinator.destroyPersistentStore(at: folder.file("b.sqlite"), type: .sqlite)
        #expect(!FileManager.default.fileExists(atPath: external))
        _ = third
        let other = StoreFixtures.context(coordinator)
        #expect(
            try other.run { try other.all("Person").first?.value(forKey: "portrait") as? Data } == portrait)
    }

    @Test func manyRowsMove() throws {
        let container = try StoreKind.sqlite.makeContainer()
        try fill(container.newBackgroundContext(), people: 700)
        let before = try contents(container.newBackgroundContext())
        let coordinator = container.persistentStoreCoordinator
        for (number, type) in [NSXMLStoreType, NSSQLiteStoreType, NSBinaryStoreType].enumerated() {
            try coordinator.migratePersistentStore(
                container.store, to: container.folder.file("s\(number)"), withType: type)
        }
        try expect(contents(container.newBackgroundContext()), equals: before)
    }

    @Test func rowsAreAddedToAStoreThatIsThere() throws {
        let (first, second) = (try StoreKind.sqlite.makeContainer(), try StoreKind.sqlite.makeContainer())
        try fill(first.newBackgroundContext())
        try fill(second.newBackgroundContext())
        let url = try #require(second.store.url)
        try second.persistentStoreCoordinator.remove(second.store)
        try first.persistentStoreCoordinator.migratePersistentStore(first.store, to: url, type: .sqlite)
        let found = try contents(first.newBackgroundContext())
        #expect(found.count == 7 && found.last == "[2, 18, 2]")
        expect(found.filter { $0.hasSuffix("Acme first cab P") }.count, equals: 2)
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func aFailedMoveLeavesEverything(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        try fill(container.newBackgroundContext())
        let before = try contents(container.newBackgroundContext())
        let coordinator = container.persistentStoreCoordinator
        let store = container.store
        let places = [
            (container.folder.file("none/moved"), NSSQLiteStoreType), (try #require(store.url), kind.type),
            (container.folder.file("none/moved"), NSXMLStoreType), (container.folder.file("x"), "Tape"),
        ]
        for (url, type) in places {
            let error = StoreFixtures.error {
                try coordinator.migratePersistentStore(store, to: url, withType: type)
            }
            expect(error?.domain, equals: NSCocoaErrorDomain)
            expect(coordinator.persistentStores, equals: [store])
        }
        try expect(contents(container.newBackgroundContext()), equals: before)
    }

    // MARK: Removing, replacing, destroying

    @Test(arguments: StoreKind.allCases.filter(\.hasFile))
    func aStoreIsRemovedAndAddedAgain(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        try fill(container.newBackgroundContext())
        let context = container.newBackgroundContext()
        let coordinator = container.persistentStoreCoordinator
        try context.run {
            let person = try #require(try context.all("Person", "name == 'first'").first)
            let (url, options) = (try #require(container.store.url), container.store.options)
            context.refresh(person, mergeChanges: false)
            try coordinator.remove(container.store)
            #expect(try context.all("Person").isEmpty)
            #expect(throws: (any Error).self) { try context.existingObject(with: person.objectID) }
            try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: url, options: options)
            guard kind != .atomic else { return }
            expect(person.text("name"), equals: "first")
            try expect(context.all("Person", "name == 'first'"), equals: [person])
            person.setValue("again", forKey: "name")
            try context.save()
        }
        let expected = kind == .atomic ? "first" : "again"
        let other = container.newBackgroundContext()
        try expect(other.run { try other.all("Person", "name == '\(expected)'").count }, equals: 1)
    }

    @Test(arguments: StoreKind.inFiles)
    func aStoreIsReplacedAndDestroyed(_ kind: StoreKind) throws {
        let (source, target) = (try kind.makeContainer(), try kind.makeContainer())
        try fill(source.newBackgroundContext())
        let expected = try contents(source.newBackgroundContext())
        let coordinator = target.persistentStoreCoordinator
        let (from, to) = (try #require(source.store.url), try #require(target.store.url))
        let missing = StoreFixtures.error {
            try coordinator.replacePersistentStore(
                at: to, withPersistentStoreFrom: source.folder.file("none"), ofType: kind.type)
        }
        expect(missing?.domain, equals: NSCocoaErrorDomain)
        expect(coordinator.persistentStores.count, equals: 1)
        try coordinator.replacePersistentStore(at: to, withPersistentStoreFrom: from, ofType: kind.type)
        #expect(coordinator.persistentStores.isEmpty)
        try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: to)
        try expect(contents(target.newBackgroundContext()), equals: expected)
        try coordinator.destroyPersistentStore(at: to, ofType: kind.type)
        #expect(coordinator.persistentStores.isEmpty)
        let name = to.lastPathComponent
        let left = kind.type == NSSQLiteStoreType ? ["", "-shm", "-wal"].map { name + $0 } : []
        try expect(
            FileManager.default.contentsOfDirectory(atPath: target.folder.url.path).sorted(), equals: left)
        try coordinator.destroyPersistentStore(at: to, ofType: kind.type)
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func onlyStoresAreDestroyed(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("letter.txt")
        try Data("Dear Anna, this is not a store at all, it is a letter.".utf8).write(to: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        #expect(
            StoreFixtures.error { try coordinator.destroyPersistentStore(at: url, ofType: kind.type) } != nil)
        #expect(FileManager.default.fileExists(atPath: url.path))
        try coordinator.destroyPersistentStore(
            at: url, ofType: kind.type, options: [NSPersistentStoreForceDestroyOption: true])
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func storesInMemoryHaveNoFiles() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let null = URL(fileURLWithPath: "/dev/null")
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: null)
        try coordinator.destroyPersistentStore(at: null, type: .inMemory)
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
        #expect(
            StoreFixtures.error {
                try coordinator.replacePersistentStore(
                    at: null, withPersistentStoreFrom: null, type: .inMemory)
            } != nil)
    }

    @Test(arguments: StoreKind.allCases.filter(\.hasFile))
    func aStoreCantBeAddedTwice(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let error = StoreFixtures.error {
            try container.persistentStoreCoordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: container.store.url)
        }
        expect(error?.code, equals: 134081)
        expect(container.persistentStoreCoordinator.persistentStores.count, equals: 1)
    }

    /// The place has a store already, with a value that must be unique.
    @Test(arguments: [StoreKind.sqlite, .xml, .binary]) func valuesThatAreThereAlready(_ kind: StoreKind)
        throws
    {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.uniquenessConstraints = [["name"]]
        let there = try kind.makeContainer(model)
        let here = try StoreKind.inMemory.makeContainer(model)
        for container in [there, here] {
            let context = container.newBackgroundContext()
            try context.run { () throws in
                _ = context.make("Company", ["name": "A"])
                _ = context.make("Company", ["name": container === here ? "B" : "C"])
                try context.save()
            }
        }
        let url = try #require(there.store.url)
        try there.persistentStoreCoordinator.remove(there.store)
        let error = thrownError {
            try here.persistentStoreCoordinator.migratePersistentStore(
                here.store, to: url, type: NSPersistentStore.StoreType(rawValue: kind.type))
        }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectConstraintMergeError)
        expect(error?.userInfo["constraint"] as? [String], equals: ["name"])
        expect(error?.userInfo[NSFilePathErrorKey] as? String, equals: url.path)
        expect(error?.userInfo["entity"] as? String, equals: "Company")
        expect(here.persistentStoreCoordinator.persistentStores.count, equals: 1)
        try expect(here.newBackgroundContext().strings("Company"), equals: ["A", "B"])
        let again = try kind.makeContainer(model, reopening: there)
        let context = again.newBackgroundContext()
        try expect(context.strings("Company"), equals: ["A", "C"])
    }
}
