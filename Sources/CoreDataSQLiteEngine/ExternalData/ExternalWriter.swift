// External files in step with the transaction: written before the row that names them, removed when no row does.

import CoreDataSQL
import Foundation

/// The files that a transaction made and those that it made superfluous.
final class ExternalWriter {
    let files: ExternalFiles
    private var written: [String] = []
    private var superfluous: [String] = []
    private var kept: [String] = []
    /// Files of transactions that may hold or not.
    private(set) var doubtful: [String] = []
    /// Indicates whether superfluous files stay until this is false again: somebody may still
    /// read a row that names them.
    var keepsSuperfluous = false {
        didSet {
            if keepsSuperfluous { return }
            kept.forEach(files.remove)
            kept = []
        }
    }

    /// Indicates that there is no file that others could be beside, so that all values are in the rows.
    var keepsInline = false

    init(_ files: ExternalFiles) {
        self.files = files
    }

    /// Returns the contents of the column for a value; writes a file for a large one.
    func cell(_ data: Data) throws -> Data {
        let value = keepsInline ? ExternalValue.inline(data) : ExternalValue(data)
        if case .file(let name) = value {
            try files.write(data, to: name)
            written.append(name)
        }
        return value.cell
    }

    /// Notes that the row with this cell is about to lose it.
    func drop(_ cell: Data) {
        cell.withUnsafeBytes {
            if case .file(let name) = ExternalCell($0) { superfluous.append(name) }
        }
    }

    func commit() {
        if keepsSuperfluous { kept += superfluous } else { superfluous.forEach(files.remove) }
        (written, superfluous) = ([], [])
    }

    /// The transaction failed at its end, and may hold none the less, now or for who opens the file next: its rows keep
    /// their files until somebody has looked whether there are such rows.
    func doubtWritten() {
        doubtful += written
        (written, superfluous) = ([], [])
    }

    func removeDoubtful(except used: Set<String>) {
        doubtful.filter { !used.contains($0) }.forEach(files.remove)
        doubtful = []
    }

    func rollBack() {
        written.forEach(files.remove)
        (written, superfluous) = ([], [])
    }
}
