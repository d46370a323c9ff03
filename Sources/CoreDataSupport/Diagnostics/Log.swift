// Warnings for what is wrong in a file or a model but must not stop the program.

import Foundation
import Synchronization

/// The place that warnings go to: standard error, or a test's own sink.
package enum Log {
    /// Somebody who takes warnings. A type, because optimised builds can't keep a bare function in a task.
    package struct Sink: Sendable {
        let take: @Sendable (String) -> Void

        package init(_ take: @escaping @Sendable (String) -> Void) {
            self.take = take
        }
    }

    /// Receives warnings instead of standard error within a task.
    @TaskLocal package static var sink: Sink?

    private static let said = Mutex<Set<String>>([])

    /// Writes a warning; the same text only once in a process, so that a bad row doesn't repeat for each of many.
    package static func warning(_ text: String) {
        if let sink {
            sink.take(text)
            return
        }
        guard said.withLock({ $0.count < 1000 && $0.insert(text).inserted }) else { return }
        FileHandle.standardError.write(Data("CoreData: warning: \(text)\n".utf8))
    }
}
