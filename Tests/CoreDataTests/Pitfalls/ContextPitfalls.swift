// Facts about contexts and what is registered in them that are easy to get wrong. Each name states one.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ContextPitfalls {
    @Test(arguments: StoreKind.withObjects)
    func onlyChangedObjectsAreHeldByTheirContext(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        let context = scene.mine
        context.performAndWait {
            for number in 0..<3 { _ = context.make("Person", ["name": "n\(number)"]) }
        }
        try context.run { () throws in
            expect(context.registeredObjects.count, equals: 3, "unsaved objects are held")
            try context.save()
        }
        #expect(context.performAndWait { context.registeredObjects.isEmpty })
        try context.run { () throws in try context.person("n1").setValue("changed", forKey: "name") }
        expect(
            context.performAndWait { context.registeredObjects.map { $0.text("name") } }, equals: ["changed"])
        context.performAndWait { context.rollback() }
        #expect(context.performAndWait { context.registeredObjects.isEmpty })
    }

    @Test func performProcessesChangesOnItsQueueAndPerformAndWaitDoesNot() async throws {
        let scene = try StoreScene(.inMemory)
        let context = scene.mine
        let changed = Posted(.NSManagedObjectContextObjectsDidChange, context)
        context.performAndWait { _ = context.make("Note") }
        #expect(changed.all.isEmpty)
        await context.perform { _ = context.make("Note") }
        #expect(changed.all.count == 1 && changed.objects(NSInsertedObjectsKey)?.count == 2)
    }

    @Test func performAndWaitRunsOnTheCallersThread() throws {
        let context = try StoreScene(.inMemory).mine
        let thread = Thread.current
        #expect(context.performAndWait { Thread.current === thread })
    }

    @Test func performAndWaitGivesValuesAndRethrows() throws {
        struct Failure: Error {}
        let context = try StoreScene(.inMemory).mine
        expect(context.performAndWait { 42 }, equals: 42)
        #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
        expect(context.performAndWait { context.hasChanges }, equals: false, "the context is still of use")
    }

    @Test(arguments: StoreKind.withObjects)
    func aChildsObjectsReachTheParentByItsSaveAndTheStoreByTheParents(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        let middle = scene.child(of: scene.mine)
        let child = scene.child(of: middle)
        try child.run { () throws in _ = child.make("Person", ["name": "Ada"]) }
        try expect(middle.run { () throws in try middle.names() }, equals: [])
        try child.run { () throws in
            try child.save()
            #expect(!child.hasChanges)
        }
        #expect(try middle.run { () throws in try middle.hasChanges && middle.names() == ["Ada"] })
        #expect(try scene.mine.run { () throws in try !scene.mine.hasChanges && scene.mine.names().isEmpty })
        try middle.run { () throws in try middle.save() }
        #expect(
            try scene.mine.run { () throws in try scene.mine.hasChanges && scene.mine.names() == ["Ada"] })
        try expect(scene.stored { try $0.names() }, equals: [])
        try scene.mine.run { () throws in try scene.mine.save() }
        try expect(scene.stored { try $0.names() }, equals: ["Ada"])
    }

    @Test(arguments: StoreKind.withObjects)
    func aChildsSaveTellsOfTemporaryIDsAndARootsOfPermanentOnes(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        let child = scene.child(of: scene.mine)
        func inserted(_ context: NSManagedObjectContext, _ body: () throws -> Void) throws -> [Bool] {
            let posted = Posted(.NSManagedObjectContextDidSaveObjectIDs, context)
            try context.run { () throws in
                try body()
                try context.save()
            }
            let ids = posted.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>
            return ids?.map(\.isTemporaryID) ?? []
        }
        try expect(inserted(child) { _ = child.make("Person") }, equals: [true])
        try expect(inserted(scene.mine) {}, equals: [false])
    }

    @Test(arguments: StoreKind.withObjects)
    func automaticMergesReachChildrenAndContextsOnTheCoordinator(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.saved("Person", "Ada")
        let child = scene.child(of: scene.mine)
        let deaf = scene.fresh()
        for context in [scene.mine, child] { context.automaticallyMergesChangesFromParent = true }
        var people: [NSManagedObject] = []
        for context in [scene.mine, child, deaf] {
            try context.run { () throws in
                people.append(try context.person("Ada"))
                expect(people.last?.value(forKey: "age") as? Int, equals: 1)
            }
        }
        try scene.elsewhere("Ada", ["age": 9])
        let ages = zip([scene.mine, child, deaf], people).map { context, person in
            context.performAndWait { person.value(forKey: "age") as? Int }
        }
        expect(ages, equals: [9, 9, 1])
    }

    @Test(arguments: StoreKind.withObjects)
    func anObtainedPermanentIDIsThatOfTheRow(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        let context = scene.mine
        let id = try context.run { () throws in
            let person = context.make("Person", ["name": "Ada"])
            let temporary = person.objectID
            try context.obtainPermanentIDs(for: [person])
            #expect(temporary.isTemporaryID && !person.objectID.isTemporaryID)
            let id = person.objectID
            try context.save()
            expect(person.objectID, equals: id)
            return id
        }
        try expect(scene.stored { try $0.existingObject(with: id).text("name") }, equals: "Ada")
    }

    @Test(arguments: StoreKind.withObjects)
    func resetTellsThatAllObjectsAreInvalid(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.saved("Person", "Ada", "Bea")
        let context = scene.mine
        let changed = Posted(.NSManagedObjectContextObjectsDidChange, context)
        try context.run { () throws in
            let people = try context.all("Person")
            people[0].setValue("edited", forKey: "name")
            let new = context.make("Person")
            let ids = Set((people + [new]).map(\.objectID))
            context.processPendingChanges()
            context.reset()
            let invalid = changed.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
            expect(Set(invalid ?? []), equals: ids)
            #expect(!context.hasChanges && context.registeredObjects.isEmpty)
            #expect(people.allSatisfy { $0.managedObjectContext == nil })
            try expect(context.names(), equals: ["Ada", "Bea"])
        }
    }

    @Test func aFetchedResultsControllerIsSilentOnResetUntilPerformFetch() throws {
        let scene = try StoreScene(.sqlite)
        try scene.saved("Person", "Ada", "Bea")
        let context = scene.mine
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            let recorder = ResultRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            context.reset()
            #expect(recorder.log.isEmpty)
            try controller.performFetch()
            #expect(recorder.log.isEmpty && controller.fetchedObjects?.count == 2)
            controller.fetchedObjects?.first?.setValue("Ann", forKey: "name")
            context.processPendingChanges()
            expect(recorder.events, equals: 1)
        }
    }
}
