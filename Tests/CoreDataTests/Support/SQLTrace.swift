// Counts the statements that a stack sends to SQLite.

@testable import CoreData
import CoreDataSQLiteEngine
import CoreDataStores
import Synchronization
import Testing

extension TestStack {
    /// The statements that SQLite executes while the closure runs.
    func statements(during body: () throws -> Void) throws -> [String] {
        let engine = try #require((coordinator.persistentStores[0] as? SQLiteStore)?.engine.file?.engine)
        let recorded = Mutex<[String]>([])
        engine.trace = { event in recorded.withLock { $0.append(event.sql) } }
        defer { engine.trace = nil }
        try body()
        return recorded.withLock { $0 }
    }

    /// Expects the closure to run so many SELECT statements.
    func expectSelects(
        _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws {
        let selects = try statements(during: body).filter { $0.hasPrefix("SELECT") }
        #expect(selects.count == count, "\(selects)", sourceLocation: sourceLocation)
    }

    /// Returns the number of SELECT statements that run while the closure runs.
    func selects(during body: () throws -> Void) throws -> Int {
        try statements(during: body).filter { $0.hasPrefix("SELECT") }.count
    }
}

extension NSManagedObject {
    /// The string under a key.
    func text(_ key: String) -> String? { value(forKey: key) as? String }
}
