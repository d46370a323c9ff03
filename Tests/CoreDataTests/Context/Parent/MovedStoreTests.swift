import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Stores that move while contexts on contexts hold objects.
@Suite(.timeLimit(.minutes(20))) struct MovedStoreTests {
    private static let kinds: [StoreKind] = [.sqlite, .inMemory, .binary, .xml]

    /// The objects that a context held before the move.
    private struct Held {
        let read: NSManagedObject
        let fault: NSManagedObject
        let changed: NSManagedObject
        let new: NSManagedObject
        let readID: NSManagedObjectID
        /// An ID that the context has no object of.
        let otherID: NSManagedObjectID

        init(_ context: NSManagedObjectContext, _ label: String) throws {
            read = try #require(try context.all("Company", "name = 'A'").first)
            _ = read["name"]
            changed = try #require(try context.all("Person", "name = '\(label)'").first)
            changed["age"] = 77
            fault = context.object(with: try #require(try context.all("Note").first).objectID)
            context.refresh(fault, mergeChanges: false)
            new = context.make("Person", ["name": "new \(label)", "company": read])
            readID = read.objectID
            otherID = try #require(try context.keys("Project").first)
        }
    }

    private func fill(_ root: NSManagedObjectContext) throws {
        let company = root.make("Company", ["name": "A"])
        for name in ["leaf", "middle", "root"] {
            _ = root.make("Person", ["name": name, "company": company])
        }
        _ = root.make("Note", ["text": "note"])
        _ = root.make("Project", ["title": "P"])
        try root.save()
    }

    @Test(arguments: kinds, kinds)
    func objectsOfChildrenMoveToo(_ source: StoreKind, _ target: StoreKind) throws {
        let tree = try ContextTree(source)
        try fill(tree.root)
        let contexts = [(tree.leaf, "leaf"), (tree.middle, "middle"), (tree.root, "root")]
        let held = try contexts.map { try Held($0, $1) }
        let moved = try tree.container.persistentStoreCoordinator.migratePersistentStore(
            tree.container.store, to: tree.container.folder.file("moved"), type: .init(rawValue: target.type))
        for ((context, label), held) in zip(contexts, held) {
            for object in [held.read, held.fault, held.changed] {
                #expect(object.objectID.persistentStore === moved)
                expect(object.objectID.uriRepresentation().host, equals: moved.identifier)
                #expect(context.object(with: object.objectID) === object)
            }
            #expect(held.readID == held.read.objectID && context.object(with: held.readID) === held.read)
            expect(held.fault.text("text"), equals: "note")
            try expect(context.existingObject(with: held.otherID).text("title"), equals: "P")
            try expect(
                context.all("Company").map(ObjectIdentifier.init), equals: [ObjectIdentifier(held.read)])
            #expect(held.changed.text("name") == label && held.changed["age"] as? Int == 77)
            #expect(held.read.names("people").contains("new \(label)"))
        }
        try tree.saveAll()
        #expect(held[0].new.objectID.persistentStore === moved || held[0].new.objectID.isTemporaryID)
        let fresh = tree.fresh()
        try withExtendedLifetime(fresh) {
            try expect(fresh.all("Person", "age = 77").count, equals: 3)
            let people = try #require(try fresh.all("Company").first).names("people")
            expect(people, equals: ["leaf", "middle", "new leaf", "new middle", "new root", "root"])
        }
        try expect(tree.leaf.find("Person", "company = %@", held[0].read).count, equals: 6)
    }

    /// IDs that were made before, without objects.
    @Test func idsOfTheOldStoreLeadToTheNew() throws {
        let tree = try ContextTree(.sqlite)
        try fill(tree.root)
        let id = try #require(try tree.leaf.keys("Company").first)
        let uri = id.uriRepresentation()
        for target in [NSXMLStoreType, NSBinaryStoreType, NSSQLiteStoreType] {
            let moved = try tree.container.persistentStoreCoordinator.migratePersistentStore(
                tree.container.store, to: tree.container.folder.file("moved to \(target)"),
                type: .init(rawValue: target))
            #expect(id.persistentStore === moved)
            try expect(tree.leaf.existingObject(with: id).text("name"), equals: "A")
            #expect(tree.leaf.registeredObject(for: id) == nil || !id.isTemporaryID)
        }
        // The URI is the old store's, which the coordinator doesn't have any more.
        #expect(tree.container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri) == nil)
        #expect(id.uriRepresentation() != uri)
    }

    /// Results that are read batch by batch go on being so.
    @Test(arguments: [NSXMLStoreType, NSSQLiteStoreType]) func batchesFollowTheirStore(_ type: String) throws
    {
        let tree = try ContextTree(.sqlite)
        for number in 10..<40 { _ = tree.root.make("Person", ["name": "\(number)"]) }
        try tree.root.save()
        for context in [tree.fresh(), tree.middle] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.fetchBatchSize = 10
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let found = try context.fetch(request)
            expect(found[0].text("name"), equals: "10")
            try tree.container.persistentStoreCoordinator.migratePersistentStore(
                tree.container.store, to: tree.container.folder.file("\(type) \(ObjectIdentifier(context))"),
                type: .init(rawValue: type))
            context.refresh(found[3], mergeChanges: false)
            expect(found.map { $0.text("name") }, equals: (10..<40).map { "\($0)" })
        }
    }

    /// If keys don't stay, objects belong to the store that was removed: they keep their values, and asking
    /// for more is an error, in children as in the context at the root.
    @Test func objectsStayBehindWhereKeysChange() throws {
        let tree = try ContextTree(.sqlite)
        try fill(tree.root)
        let other = try StoreKind.sqlite.makeContainer()
        let theirs = other.newBackgroundContext()
        try theirs.run { () throws in
            _ = theirs.make("Company", ["name": "there"])
            try theirs.save()
        }
        let url = try #require(other.store.url)
        try other.persistentStoreCoordinator.remove(other.store)
        for context in [tree.leaf, tree.root] {
            let company = try #require(try context.all("Company").first)
            expect(company.text("name"), equals: "A")
        }
        let mine = try #require(try tree.leaf.all("Company").first)
        mine["name"] = "lost"
        try tree.container.persistentStoreCoordinator.migratePersistentStore(
            tree.container.store, to: url, type: .sqlite)
        expect(mine.text("name"), equals: "lost")
        let error = thrownError { try tree.saveAll() }
        expect(error?.domain, equals: NSCocoaErrorDomain)
        tree.leaf.rollback()
        tree.leaf.reset()
        tree.middle.reset()
        tree.root.reset()
        try expect(tree.leaf.strings("Company"), equals: ["A", "there"])
    }
}

extension NSManagedObjectContext {
    /// The IDs of all objects of an entity, without making objects.
    fileprivate func keys(_ entity: String) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        return try fetch(request)
    }
}
