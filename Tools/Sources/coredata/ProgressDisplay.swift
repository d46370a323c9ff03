// The display of a long command's progress, on standard error.

import CoreData
import StoreTools

/// One line that changes on a terminal; elsewhere a line for each message, if they are asked for.
final class ProgressDisplay {
    private let isWanted: Bool
    private var isShown = false

    init(isWanted: Bool) {
        self.isWanted = isWanted
    }

    func show(_ message: String) {
        if Terminal.isError {
            write("\r\u{1B}[K\(message)")
            isShown = true
        } else if isWanted {
            write(message + "\n")
        }
    }

    /// Takes the line away.
    func end() {
        if isShown { write("\r\u{1B}[K") }
        isShown = false
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
