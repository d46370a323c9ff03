// Notifications of changes and saves before anyone has asked for their names. Processes of their own, because other tests ask.

import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

/// Keeps what observers of all names, and of one that they spell themselves, are given.
private final class Everything: @unchecked Sendable {
    private(set) var notes: [(name: String, info: [AnyHashable: Any])] = []
    private(set) var spelled = 0
    private var tokens: [any NSObjectProtocol] = []

    init() {
        let center = NotificationCenter.default
        tokens = [
            center.addObserver(forName: nil, object: nil, queue: nil) { [unowned self] note in
                notes.append((note.name.rawValue, note.userInfo ?? [:]))
            },
            center.addObserver(
                forName: Notification.Name("NSManagingContextDidSaveChangesNotification"), object: nil,
                queue: nil
            ) { [unowned self] note in
                spelled += (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
            },
        ]
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    func last(_ name: String, _ key: String) -> Any? {
        notes.last { $0.name.contains(name) }?.info[key]
    }
}

private func check(_ isTrue: Bool, line: Int = #line) { precondition(isTrue, "line \(line)") }

private func makeContext() throws -> (NSManagedObjectContext, NSPersistentStoreCoordinator) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return (context, coordinator)
}

private func makePeople(_ count: Int, in context: NSManagedObjectContext) -> [NSManagedObject] {
    (0..<count).map { context.make("Person", ["name": "\($0)"]) }
}

@Suite struct ObservedNotificationTests {
    @Test func observersOfAllNamesReadTheObjects() async {
        await #expect(processExitsWith: .success) {
            let (context, coordinator) = try makeContext()
            let seen = Everything()
            try context.performAndWait {
                let people = makePeople(100, in: context)
                let company = context.make("Company", ["name": "A"])
                let all = Set(people + [company])
                try context.save()
                for name in ["ObjectsChanged", "DidSaveChanges"] {
                    let value = seen.last(name, NSInsertedObjectsKey)
                    check(type(of: value!) != Set<NSManagedObject>.self)
                    check(value as? Set<NSManagedObject> == all)
                    check(value as! Set<NSManagedObject> == all)
                    check(value as? Set<NSObject> == all as Set<NSObject>)
                    check((value as? NSSet)?.count == 101 && (value as? NSSet)?.contains(company) == true)
                    check((value as? Set<AnyHashable>)?.contains(company) == true)
                    check(value as? Set<NSManagedObjectID> == nil && value as? [NSManagedObject] == nil)
                    check("\(value!)".contains("name"))
                }
                let ids = seen.last("DidSaveObjectIDs", NSInsertedObjectIDsKey)
                check(type(of: ids!) != Set<NSManagedObjectID>.self)
                check(ids as? Set<NSManagedObjectID> == Set(all.map(\.objectID)))
                check(seen.spelled == 101)

                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = coordinator
                for person in people[..<50] { person.setValue("new", forKey: "name") }
                for person in people[50...] { context.delete(person) }
                let mine = try other.performAndWait { try other.all("Person").count }
                check(mine == 100)
                try context.save()
                check(
                    seen.last("DidSaveChanges", NSUpdatedObjectsKey) as? Set<NSManagedObject>
                        == Set(people[..<50]))
                let deleted = seen.last("DidSaveObjectIDs", NSDeletedObjectIDsKey) as? Set<NSManagedObjectID>
                check(deleted == Set(people[50...].map(\.objectID)))
                let note = Notification(
                    name: Notification.Name("any"), object: context,
                    userInfo: seen.notes.last { $0.name.contains("DidSaveChanges") }!.info)
                try other.performAndWait {
                    other.mergeChanges(fromContextDidSave: note)
                    check(try other.all("Person").allSatisfy { $0.text("name") == "new" })
                }
            }
        }
    }

    @Test func setsAreMadeOnceSomebodyAskedForTheName() async {
        await #expect(processExitsWith: .success) {
            let (context, _) = try makeContext()
            let seen = Everything()
            try context.performAndWait {
                _ = makePeople(100, in: context)
                try context.save()
                check(
                    type(of: seen.last("DidSaveChanges", NSInsertedObjectsKey)!) != Set<NSManagedObject>.self)
                _ = NSManagedObjectContext.didSaveObjectsNotification
                _ = makePeople(100, in: context)
                try context.save()
                check(
                    type(of: seen.last("ObjectsChanged", NSInsertedObjectsKey)!) != Set<NSManagedObject>.self)
                check(
                    type(of: seen.last("DidSaveChanges", NSInsertedObjectsKey)!) == Set<NSManagedObject>.self)
                check(
                    type(of: seen.last("DidSaveObjectIDs", NSInsertedObjectIDsKey)!)
                        != Set<NSManagedObjectID>.self)
                _ = Notification.Name.NSManagedObjectContextObjectsDidChange
                _ = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
                _ = makePeople(100, in: context)
                try context.save()
                check(
                    type(of: seen.last("ObjectsChanged", NSInsertedObjectsKey)!) == Set<NSManagedObject>.self)
                check(
                    type(of: seen.last("DidSaveObjectIDs", NSInsertedObjectIDsKey)!)
                        == Set<NSManagedObjectID>.self)
            }
        }
    }

    @Test func contextsMergeAutomaticallyThoughNobodyObserves() async {
        await #expect(processExitsWith: .success) {
            let (context, coordinator) = try makeContext()
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = coordinator
            other.performAndWait { other.automaticallyMergesChangesFromParent = true }
            let people = try context.performAndWait {
                let people = makePeople(40, in: context)
                try context.save()
                return people.map(\.objectID)
            }
            try other.performAndWait { check(try other.all("Person").count == 40) }
            try context.performAndWait {
                for id in people { context.object(with: id).setValue("new", forKey: "name") }
                try context.save()
            }
            other.performAndWait {
                check(people.allSatisfy { other.object(with: $0).text("name") == "new" })
            }
        }
    }

    /// A child's new objects have no permanent IDs when it has saved.
    @Test func aChildContextTellsItsIDs() async {
        await #expect(processExitsWith: .success) {
            let (parent, _) = try makeContext()
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            let seen = Everything()
            try child.performAndWait {
                let people = makePeople(40, in: child)
                try child.save()
                let ids = seen.last("DidSaveObjectIDs", NSInsertedObjectIDsKey) as? Set<NSManagedObjectID>
                check(ids == Set(people.map(\.objectID)))
            }
        }
    }
}
