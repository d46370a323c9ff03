// A batch in tables.

extension StoreBatch {
    /// Does the work in tables, inside a transaction of the caller's, and notes what changed for the history that the
    /// store keeps, if it does.
    package func run<Tables: HistoryTables>(
        on file: Tables, _ history: HistoryRecorder<Tables>?
    ) throws -> BatchChanges {
        switch self {
        case .insert(let batch): try batch.run(on: file, history)
        case .update(let batch): try batch.run(on: file, history)
        case .delete(let batch): try batch.run(on: file, history)
        }
    }
}
