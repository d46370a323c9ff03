// Random models, filled at random, whose next versions differ in a few random ways: all that can stay stays.
//
// COREDATA_SEED=n runs one seed and prints what changed, COREDATA_LONG_TESTS=1 runs many.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RandomMigrationTests {
    private static let seed = ProcessInfo.processInfo.environment["COREDATA_SEED"].flatMap { UInt64($0) }

    /// The ways in which a store gets to the next version.
    enum Way: String, CaseIterable {
        case inPlace, tracked, manager, xml, server

        var type: String {
            switch self {
            case .xml: NSXMLStoreType
            case .server: PostgreSQLStore.type
            default: NSSQLiteStoreType
            }
        }

        /// Indicates whether the store is copied into a new one by a mapping model, not changed in place.
        var isCopied: Bool { self == .manager || self == .xml }

        static let available = allCases.filter { $0 != .server || PostgreSQLServer.isAvailable }
    }

    private let folder: TemporaryFolder

    init() throws {
        StoreKind.register()
        folder = try TemporaryFolder()
    }

    @Test(arguments: seed.map { [$0] } ?? Array(0..<UInt64(rounds(20, long: 1000))), Way.available)
    func allThatCanStayStays(seed: UInt64, way: Way) throws {
        var evolution = ModelEvolution(seed: seed)
        let url = try #require(try StoreKind.place(way.type, folder, "Store"))
        var mark = 1
        for version in 0..<3 {
            let old = evolution.sketch
            let before = try write(way, url, old, from: mark, seed: seed &+ UInt64(version))
            mark += 1000
            evolution.evolve(swaps: version == 2)
            if Self.seed != nil {
                print(way, old, "version \(version):", evolution.log.joined(separator: ", "))
            }
            let (expected, losses) = before.migrated(from: old, to: evolution.sketch)
            let now = try migrate(way, url, old, evolution.sketch)
            let faults = now.graph.faults(expected, losses, evolution.sketch, keepsKeys: !way.isCopied)
            try #require(faults + now.problems == [], "seed \(seed), \(way): \(evolution.log)")
        }
    }

    /// Opens the store, adds objects, and returns what the store holds then, as read by another context.
    private func write(_ way: Way, _ url: URL, _ sketch: ModelSketch, from mark: Int, seed: UInt64) throws
        -> SketchedGraph
    {
        try open(way, url, sketch, options: [:]) { coordinator, context in
            try SketchedGraph.fill(context, sketch, from: mark, seed: seed)
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = coordinator
            let graph = try SketchedGraph(other, sketch)
            try #require(
                graph.contradictions(sketch) + problems(way, coordinator) == [],
                "seed \(seed), before migration")
            return graph
        }
    }

    private func migrate(_ way: Way, _ url: URL, _ old: ModelSketch, _ new: ModelSketch) throws -> (
        graph: SketchedGraph, problems: [String]
    ) {
        if way.isCopied { try runManager(way, url, old.model(), new.model()) }
        let options: [AnyHashable: Any] = way.isCopied ? [:] : .migrating
        return try open(way, url, new, options: options) { coordinator, context in
            if way == .tracked {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                request.resultType = .transactionsAndChanges
                _ = try context.execute(request)
            }
            return (try SketchedGraph(context, new), try problems(way, coordinator))
        }
    }

    private func problems(_ way: Way, _ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        guard way != .xml, let store = coordinator.persistentStores.first else { return [] }
        return try coordinator.verify(store).map { "\($0)" }
    }

    private func runManager(_ way: Way, _ url: URL, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel)
        throws
    {
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let (next, type) = (folder.file("Next"), NSPersistentStore.StoreType(rawValue: way.type))
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, type: type, options: nil, mapping: mapping, to: next, type: type, options: nil)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
        try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: next, type: type)
        try coordinator.destroyPersistentStore(at: next, type: type)
    }

    private func open<Result>(
        _ way: Way, _ url: URL, _ sketch: ModelSketch, options: [AnyHashable: Any],
        _ body: (NSPersistentStoreCoordinator, NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: sketch.model())
        let tracking = way == .tracked ? [NSPersistentHistoryTrackingKey: true] : [:]
        let store = try coordinator.addPersistentStore(
            ofType: way.type, configurationName: nil, at: url,
            options: options.merging(tracking) { first, _ in first })
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try body(coordinator, context) }
        try coordinator.remove(store)
        return result
    }
}
