// The word that something changed, for observers of any isolation.

import Foundation
import Observation
import Synchronization

/// Counts the changes that an observer may have to look at.
///
/// Changes are announced on whatever thread made them. Nothing is fetched there: who observes is told, and reads when it likes.
final class StoreChangeSignal: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let changes = Mutex(0)

    /// The number of changes so far; reading it is observed.
    var count: Int {
        registrar.access(self, keyPath: \.count)
        return changes.withLock { $0 }
    }

    /// The number of changes so far, read without a trace.
    var untrackedCount: Int { changes.withLock { $0 } }

    func announce() {
        registrar.withMutation(of: self, keyPath: \.count) { changes.withLock { $0 += 1 } }
    }
}
