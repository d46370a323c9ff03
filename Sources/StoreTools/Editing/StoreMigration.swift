// Bringing a store to another version of its model.

public import CoreData

/// A migration of one store, looked at and then done.
public struct StoreMigration {
    private let url: URL
    private let model: NSManagedObjectModel
    private let steps: [PlannedMigrationStep]
    public let isUpToDate: Bool

    /// Looks at what is to be done. The file stays as it is.
    public init(of path: String, from older: String?, to newer: String) throws {
        url = URL(fileURLWithPath: path)
        let metadata = try OpenStore.metadata(of: url)
        model = try ModelSource(path: newer).read()
        isUpToDate = model.configuration(for: metadata) != nil
        let source = try older.map { try ModelSource(path: $0).read(for: metadata) }
        steps =
            isUpToDate
            ? [] : try NSPersistentStoreCoordinator.migrationSteps(forStoreAt: url, from: source, to: model)
    }

    public var losesData: Bool { steps.contains { $0.losesData && $0.count != 0 } }

    /// A line for each step.
    public var lines: [String] {
        steps.map { step in
            let rows = step.count.map { " (\($0) \($0 == 1 ? "row" : "rows"))" } ?? ""
            return "\(step.losesData ? "!" : " ") \(step.summary)\(rows)"
        }
    }

    /// Copies the store with all that belongs to it. Throws if there is a file at the copy's place.
    public func backUp() throws -> URL {
        let copy = url.appendingPathExtension("backup")
        if FileManager.default.fileExists(atPath: copy.path) {
            throw ToolFailure("There is a file at \(copy.path) already.")
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.replacePersistentStore(
            at: copy, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        return copy
    }

    public func run() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentHistoryTrackingKey: try OpenStore.keepsHistory(url),
        ]
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        try coordinator.remove(store)
    }
}
