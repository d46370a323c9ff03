// The notes for an incremental store about the objects that contexts registered and forgot.

import CoreDataSchema
import CoreDataSupport
import Foundation
import Synchronization

/// Notes of one store, taken on any thread, since objects are released on any, and told where a client's code may
/// run: at the next request of a context.
///
/// Unchecked because the notes are touched under the lock only.
final class RegistrationNotes: @unchecked Sendable {
    struct Note: Sendable {
        let entity: Int
        let primaryKey: Int64
        let isRegistered: Bool
    }

    private let notes = Mutex<[Note]>([])

    func append(_ entity: EntityRuntime, primaryKey: Int64, isRegistered: Bool) {
        guard primaryKey > 0 else { return }
        let note = Note(entity: entity.number, primaryKey: primaryKey, isRegistered: isRegistered)
        notes.withLock { $0.append(note) }
    }

    /// The notes since the last time, in their order, as runs of one kind.
    func take() -> [[Note]] {
        let all = notes.withLock { notes in
            defer { notes.removeAll() }
            return notes
        }
        var runs: [[Note]] = []
        for note in all {
            if runs.last?.last?.isRegistered == note.isRegistered {
                runs[runs.count - 1].append(note)
            } else {
                runs.append([note])
            }
        }
        return runs
    }
}
