import CoreData
import Foundation
import os

/// A counter that threads share.
final class Counter {
    private var lock = os_unfair_lock_s()
    private var value = 0

    func add() {
        os_unfair_lock_lock(&lock)
        defer { os_unfair_lock_unlock(&lock) }
        value += 1
    }

    var count: Int {
        os_unfair_lock_lock(&lock)
        defer { os_unfair_lock_unlock(&lock) }
        return value
    }
}

/// A main context that saves through a writer's, and contexts for work beside.
public final class Stack {
    public enum Storage {
        case memory
        case file(URL)
    }

    public let coordinator: NSPersistentStoreCoordinator
    public let writer: NSManagedObjectContext
    public let main: NSManagedObjectContext
    private let saves = Counter()
    private let signposter = OSSignposter(subsystem: "org.example.stacks", category: "saves")

    public static let model: NSManagedObjectModel = {
        guard let url = Bundle(for: Stack.self).url(forResource: "Budget", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { fatalError("the model is missing") }
        return model
    }()

    public init(_ storage: Storage, configuration: String? = nil) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Stack.model)
        switch storage {
        case .memory:
            try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: configuration, at: nil, options: nil)
        case .file(let url):
            let options: [AnyHashable: Any] = [
                NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true,
                NSSQLitePragmasOption: ["journal_mode": "WAL"],
            ]
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: configuration, at: url, options: options)
        }
        writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        writer.persistentStoreCoordinator = coordinator
        main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.parent = writer
        NotificationCenter.default.addObserver(
            self, selector: #selector(didSave(_:)), name: .NSManagedObjectContextDidSave, object: writer)
    }

    @objc private func didSave(_ notification: Notification) {
        saves.add()
    }

    public var numberOfSaves: Int { saves.count }

    /// Saves what the main context has, down to the store.
    public func save(_ completion: @escaping (Error?) -> Void = { _ in }) {
        let state = signposter.beginInterval("save")
        do {
            try main.save()
        } catch {
            return completion(error)
        }
        writer.perform { [self] in
            autoreleasepool {
                do {
                    try writer.save()
                    completion(nil)
                } catch {
                    writer.rollback()
                    completion(error)
                }
            }
            signposter.endInterval("save", state)
        }
    }

    /// Work beside the main context, which then has its changes.
    public func background<T>(_ work: @escaping (NSManagedObjectContext) throws -> T) async throws -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.parent = main
        context.name = String(localized: "background")
        return try await context.perform {
            let result = try work(context)
            if context.hasChanges { try context.save() }
            return result
        }
    }

    public static func destroy(_ url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
        for name in [url.path, url.path + "-wal", url.path + "-shm"] {
            try FileManager.default.removeItem(atPath: name)
        }
    }
}
