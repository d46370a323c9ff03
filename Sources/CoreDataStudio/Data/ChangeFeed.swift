// Tells waiting pages that something changed.

import CoreData
import Synchronization

/// Counts changes of a workspace and of the stores beneath it.
final class ChangeFeed: Sendable {
    enum Kind: String, Sendable {
        /// Unsaved changes of this session.
        case edit
        /// The stores, by whoever.
        case store
    }

    private struct State {
        var version = 0
        var store = 0
    }

    private let state = Mutex(State())

    func note(_ kind: Kind) {
        state.withLock { state in
            state.version += 1
            if kind == .store { state.store += 1 }
        }
    }

    var value: StudioValue {
        state.withLock { ["version": .integer($0.version), "store": .integer($0.store)] }
    }

    /// Returns once there is something after `version`, when the time is over, or when the studio ends.
    func wait(after version: Int, for limit: Duration, in studio: StudioContext) async throws {
        let end = ContinuousClock.now + limit
        while state.withLock({ $0.version == version }), ContinuousClock.now < end, !studio.isEnding {
            try await Task.sleep(for: .milliseconds(80))
        }
    }
}
