// The snapshots that files in parts are read from.

import CoreData
import Synchronization

/// The states of the store that files in parts were begun on: saves meanwhile don't move rows from one part to another.
///
/// A file that nobody goes on with is forgotten when others are begun; the store's own bound on its log ends it earlier
/// if much is written.
final class ExportSnapshots: Sendable {
    private struct Snapshot {
        let name: String
        let state: NSQueryGenerationToken
    }

    /// Files that one session can be amid.
    private static let limit = 4
    private let snapshots = Mutex<[Snapshot]>([])

    /// Keeps the state that a context is pinned to. Gives its name; nil if the store keeps no states.
    func keep(_ state: NSQueryGenerationToken?) -> String? {
        guard let state else { return nil }
        let name = Secret.make()
        snapshots.withLock {
            $0 = Array($0.suffix(Self.limit - 1)) + [Snapshot(name: name, state: state)]
        }
        return name
    }

    /// Throws a problem of status 409 if the file was ended or pushed out by others.
    func state(_ name: String) throws -> NSQueryGenerationToken {
        guard let found = snapshots.withLock({ $0.first { Secret.matches($0.name, and: name) } }) else {
            throw StudioProblem(
                status: 409, "Too many files were begun at the same time: export this one anew.")
        }
        return found.state
    }

    func end(_ name: String?) {
        snapshots.withLock { $0.removeAll { $0.name == name } }
    }
}
