// A fetch sees unsaved changes and tells nobody of them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FetchingWithoutTellingTests {
    private func people(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
    }

    @Test(arguments: StoreKind.allCases) func observersAreToldAtTheEndOfTheEvent(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            _ = context.make("Person", ["name": "Ada"])
            try expect(people(context).count, equals: 1)
            try expect(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")), equals: 1)
            expect(posted.count, equals: 0)
            context.processPendingChanges()
            expect(posted.count, equals: 1)
        }
    }

    @Test(arguments: StoreKind.allCases) func deletionsHaveReachedRelatedObjects(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let company = context.make("Company", ["name": "Acme"])
            let person = context.make("Person", ["name": "Ada"])
            person.setValue(company, forKey: "company")
            try context.save()
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.delete(company)
            let alone = NSFetchRequest<NSManagedObject>(entityName: "Person")
            alone.predicate = NSPredicate(format: "company == nil")
            try expect(context.fetch(alone), equals: [person])
            expect(posted.count, equals: 0)
            try context.save()
            try expect(people(context).count, equals: 1)
        }
    }

    /// An initialiser that fetches is not over when the fetch is: nobody hears of the object before the event's end.
    @Test func resultsControllersDontHearOfObjectsThatAreBeingMade() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            let recorder = ResultRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.copy(controller)
            let person = context.make("Person")
            try expect(people(context), equals: [person])
            person.setValue("Ada", forKey: "name")
            #expect(recorder.log.isEmpty)
            context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "insert Ada >0.0", "did"])
        }
    }

    /// The controller tells of an object that its own fetch found already only if the object has to move.
    @Test func newObjectsThatTheFetchFoundAreNotToldAgain() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            let recorder = ResultRecorder()
            controller.delegate = recorder
            let ada = context.make("Person", ["name": "Ada"])
            _ = context.make("Person", ["name": "Bob"])
            try controller.performFetch()
            recorder.copy(controller)
            context.processPendingChanges()
            #expect(recorder.told().isEmpty)
            ada.setValue("Abe", forKey: "name")
            context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "update Abe 0.0>0.0", "did"])
            let cyd = context.make("Person", ["name": "Cyd"])
            try controller.performFetch()
            recorder.copy(controller)
            cyd.setValue("Aaa", forKey: "name")
            try context.save()
            expect(recorder.told(), equals: ["will", "move Aaa 0.2>0.0", "did"])
        }
    }

    /// A fetch of a child sees what its parent has deleted by the rules so far, and tells nobody of the parent's changes.
    @Test func childrenDontTellTheParentsObservers() throws {
        let tree = try ContextTree()
        let company = tree.root.make("Company", ["name": "Acme"])
        let person = tree.root.make("Person", ["name": "Ada", "company": company])
        try tree.root.save()
        let posted = Posted(.NSManagedObjectContextObjectsDidChange, tree.root)
        tree.root.delete(company)
        let found = try tree.middle.all("Person", "company == nil")
        #expect(found.map(\.objectID) == [person.objectID] && posted.count == 0)
        tree.root.processPendingChanges()
        expect(posted.objects(NSDeletedObjectsKey), equals: [company])
    }

    /// `prepareForDeletion` may fetch; fetches between changes don't make several actions of one event.
    @Test func aFetchDoesntEndTheEventOfAnUndoManager() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.beginUndoGrouping()
            let person = context.make("Person", ["name": "Ada"])
            try expect(people(context), equals: [person])
            #expect(!manager.canUndo)
            person.setValue("Bea", forKey: "name")
            context.processPendingChanges()
            #expect(person.changedValuesForCurrentEvent().isEmpty)
            manager.endUndoGrouping()
            #expect(manager.canUndo)
            context.undo()
            #expect(try people(context).isEmpty)
        }
    }

    @MainActor @Test func theRunLoopOfTheMainThreadEndsAnEvent() throws {
        let stack = try TestStack()
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        guard Thread.isMainThread else {
            return expect(context.concurrencyType, equals: .mainQueueConcurrencyType)
        }
        let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
        _ = context.make("Person", ["name": "Ada"])
        expect(posted.count, equals: 0)
        RunLoop.main.run(until: Date())
        expect(posted.count, equals: 1)
    }
}
