// Bringing a store to another version of its model.

import CoreData

/// A migration of one store, looked at and then done.
public struct StoreMigration {
    private enum Way {
        case inferred(from: NSManagedObjectModel?)
        case mapped(MappedMigration)
    }

    private let path: String
    /// The file of the store's model, where one was named.
    private let older: String?
    private let address: StoreAddress
    private var url: URL { address.url }
    private let model: NSManagedObjectModel
    private let way: Way
    private let steps: [PlannedMigrationStep]
    /// Indicates whether the store is of the newer version already.
    public let isUpToDate: Bool

    /// Looks at what is to be done. The store stays as it is.
    ///
    /// - Parameters:
    ///   - path: the store's file, or its address on a server.
    ///   - older: the store's model; `nil` to look beside the newer one and in the store.
    ///   - newer: the file of the model to bring it to.
    ///   - mapping: a mapping model's file; `nil` for what can be inferred.
    /// - Throws: the errors of opening a store, of reading a model, and of inferring a mapping.
    public init(of path: String, from older: String?, to newer: String, by mapping: String? = nil) throws {
        let address = try StoreAddress(path)
        (self.path, self.older, self.address) = (path, older, address)
        let metadata = try address.metadata()
        model = try ModelSource(path: newer).read()
        isUpToDate = model.configuration(for: metadata) != nil
        let source = try older.map { try ModelSource(path: $0).read(for: metadata) }
        if isUpToDate {
            way = .inferred(from: source)
            steps = []
        } else if let mapping {
            let mapped = MappedMigration(
                mapping: try NSMappingModel.read(from: URL(fileURLWithPath: mapping)),
                source: try source ?? Self.kept(by: address, metadata, beside: newer), destination: model)
            way = .mapped(mapped)
            steps = try mapped.steps(for: address)
        } else {
            way = .inferred(from: source)
            steps = try NSPersistentStoreCoordinator.migrationSteps(
                forStoreAt: address.url, type: address.type, options: address.options, from: source, to: model
            )
        }
    }

    private static func kept(
        by address: StoreAddress, _ metadata: [String: Any], beside newer: String
    ) throws -> NSManagedObjectModel {
        let beside = try ModelSource(path: newer).read(for: metadata)
        if beside.configuration(for: metadata) != nil { return beside }
        if address.isFile { return try ModelSource(path: address.url.path).read() }
        guard let kept = try address.model() else {
            throw ToolFailure("\(address.name) doesn't keep its model: --from names it.")
        }
        return kept
    }

    /// Indicates whether values are gone afterwards.
    public var losesData: Bool { steps.contains { $0.losesData && $0.count != 0 } }

    /// A line for each step and, of a store on a server, for each statement.
    public var lines: [String] {
        steps.flatMap { step in
            let rows = step.count.map { " (\($0) \($0 == 1 ? "row" : "rows"))" } ?? ""
            return ["\(step.losesData ? "!" : " ") \(step.summary)\(rows)"]
                + step.statements.map { "      \($0);" }
        }
    }

    /// Copies the store: a file to one with `.backup` at the end of its name, a store on a server to a schema beside its own, with
    /// `_backup` at the end of its name (`StoreDuplication`).
    ///
    /// - Returns: the path or address of the copy, without a password.
    /// - Throws: `ToolFailure` if there is something at the copy's place; the errors of copying a store.
    public func backUp() throws -> String {
        let copy = try StoreAddress.backup(of: path)
        try StoreDuplication.copy(from: path, to: copy, modelPath: older)
        return try StoreAddress.shown(copy)
    }

    /// Migrates, and says in a few words what is being done whenever that changes.
    ///
    /// - Throws: the errors of the migration (Docs/Errors.md).
    public func run(progress: (String) -> Void = { _ in }) throws {
        switch way {
        case .inferred(let source):
            try NSPersistentStoreCoordinator.migrateStore(
                at: url, type: address.type, from: source, to: model, options: options()
            ) { step, count in
                let summary = steps.indices.contains(step) ? ": \(steps[step].summary)" : ""
                progress("step \(step + 1) of \(count)\(summary)")
            }
        case .mapped(let migration):
            try withoutActuallyEscaping(progress) { progress in
                try migration.run(address, options: options(), progress: progress)
            }
        }
    }

    private func options() throws -> [AnyHashable: Any] {
        address.options.merging([NSPersistentHistoryTrackingKey: try address.keepsHistory()]) { $1 }
    }
}
