// A batch in a file.

extension StoreBatch {
    /// Does the work in a file, inside a transaction of the caller's, and notes what changed for the history that the
    /// file keeps, if it does.
    package func run(on file: SQLiteFile, _ history: HistoryRecorder?) throws -> BatchChanges {
        switch self {
        case .insert(let batch): try batch.run(on: file, history)
        case .update(let batch): try batch.run(on: file, history)
        case .delete(let batch): try batch.run(on: file, history)
        }
    }
}
