// Whether anybody tracks what is read at the moment.

import CModelConstruction
import Observation

/// Asks Swift's Observation whether this thread runs a closure whose reads are tracked.
///
/// Nothing public tells. But a read that is tracked is entered in a list by its key path, and a key path with a subscript's
/// argument asks the argument for its hash: one that notes that. So a registrar of each model is made only where somebody
/// tracks, and a read that nobody tracks is one call.
@usableFromInline
enum Tracking {
    @usableFromInline
    static var isOn: Bool {
        @inline(__always) get { ask() }
    }

    @usableFromInline @inline(never)
    static func ask() -> Bool {
        probe._withUnsafeGuaranteedRef { $0.registrar.access($0, keyPath: $0.path) }
        return takeNotedRead()
    }

    /// Never freed, so that a read counts no references to it. Sound because nothing of it changes.
    nonisolated(unsafe) private static let probe = Unmanaged.passRetained(Probe())

    private final class Probe: Observable {
        let registrar = ObservationRegistrar()
        let path: KeyPath<Probe, Int> = \Probe[Witness()]
        subscript(witness: Witness) -> Int { 0 }
    }

    private struct Witness: Hashable, Sendable {
        func hash(into hasher: inout Hasher) { noteTracking() }
    }
}
