// The progress of a migration, which other threads may read, and its cancellation, which they may ask for.

import CoreDataSupport
import Foundation
import Synchronization

/// The part of a migration manager that any thread may use.
final class MigrationStatus: Sendable {
    private struct State {
        var progress: Float = 0
        var cancellation: (any Error)?
        var mapping = UncheckedReference(NSEntityMapping())
        var observers: [Int: UncheckedReference<MigrationObserver>] = [:]
        var lastObserver = 0
    }

    private let state = Mutex(State())
    // With a lock of its own: an observation that ends leaves the state.
    private let added = Mutex(UncheckedReference(AddedObservers()))

    var progress: Float { state.withLock { $0.progress } }
    var mapping: NSEntityMapping { state.withLock { $0.mapping }.value }

    /// The migration is over, and with it its cancellation.
    func finish() {
        state.withLock { $0.cancellation = nil }
    }

    /// Ends the migration that is under way, or else the next.
    func cancel(_ error: any Error) {
        state.withLock { if $0.cancellation == nil { $0.cancellation = error } }
    }

    /// Throws the error that the migration was cancelled with.
    func checkCancellation() throws {
        if let error = state.withLock({ $0.cancellation }) { throw error }
    }

    func setProgress(_ progress: Float) {
        change(.progress) { $0.progress = progress }
    }

    func setMapping(_ mapping: NSEntityMapping) {
        let reference = UncheckedReference(mapping)
        change(.mapping) { $0.mapping = reference }
    }

    // MARK: Observers

    /// Returns what ends the observation.
    func add(_ observer: MigrationObserver) -> () -> Void {
        let reference = UncheckedReference(observer)
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = reference
            return state.lastObserver
        }
        return { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: number) } }
    }

    /// Uses the list of the observers that were added as objects.
    func withAdded<Result>(_ body: (AddedObservers) -> Result) -> Result {
        let result = added.withLock { UncheckedReference(body($0.value)) }
        return result.value
    }

    private func change(_ key: MigrationObserver.Key, body: @Sendable (inout State) -> Void) {
        let all = state.withLock { state in
            if state.observers.isEmpty { body(&state) }
            return state.observers
        }
        if all.isEmpty { return }
        let observers = all.sorted { $0.key < $1.key }.map(\.value.value).filter { $0.key == key }
        for observer in observers { observer.before() }
        state.withLock { body(&$0) }
        for observer in observers { observer.after() }
    }
}

/// A closure that observes the progress or the current mapping.
struct MigrationObserver {
    enum Key {
        case progress
        case mapping
    }

    let key: Key
    let before: () -> Void
    let after: () -> Void
}
