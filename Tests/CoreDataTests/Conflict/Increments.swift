// Writers that race for one number, and the policy that lets none of them lose.

import CoreData
import CoreDataTestSupport
import Foundation

/// Adds what the context added to what the store has now.
final class AddingPolicy: NSMergePolicy, @unchecked Sendable {
    init() {
        super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        let sums = list.map { conflict in
            let mine = conflict.sourceObject.value(forKey: "visits") as? Int ?? 0
            let old = conflict.objectSnapshot?["visits"] as? Int ?? 0
            let now = (conflict.persistedSnapshot ?? conflict.cachedSnapshot)?["visits"] as? Int ?? 0
            return now + mine - old
        }
        try super.resolve(optimisticLockingConflicts: list)
        for (conflict, sum) in zip(list, sums) { conflict.sourceObject.setValue(sum, forKey: "visits") }
    }
}

/// Several contexts, each of which raises the only person's visits one by one, never reading anew.
enum Increments {
    /// Runs the contexts' work side by side and waits; throws the first error that one of them met.
    static func run(_ coordinator: NSPersistentStoreCoordinator, contexts: Int, each: Int) throws {
        let errors = ErrorBox()
        let group = DispatchGroup()
        for _ in 0..<contexts {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.mergePolicy = AddingPolicy()
            group.enter()
            context.perform {
                defer { group.leave() }
                do {
                    guard
                        let person = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                            .first
                    else { throw CocoaError(.coderValueNotFound) }
                    for _ in 0..<each {
                        person.setValue((person.value(forKey: "visits") as? Int ?? 0) + 1, forKey: "visits")
                        try context.save()
                    }
                } catch {
                    errors.add(error)
                }
            }
        }
        group.wait()
        if let error = errors.first { throw error }
    }

    /// The same on a file that other processes have open too.
    static func run(path: String, contexts: Int, each: Int) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
        try run(coordinator, contexts: contexts, each: each)
    }
}

/// Unchecked because the lock guards it.
private final class ErrorBox: @unchecked Sendable {
    private let lock = NSLock()
    private var errors: [any Error] = []

    var first: (any Error)? { lock.withLock { errors.first } }

    func add(_ error: any Error) { lock.withLock { errors.append(error) } }
}
