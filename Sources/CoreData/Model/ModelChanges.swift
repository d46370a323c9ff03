// Tells that a model which isn't in use yet may have changed since something was computed of it.

import Synchronization

/// Counts changes of all models and their parts. A part doesn't know its model until the model is in use, and models change
/// while programs start, so one counter serves all.
enum ModelChanges {
    private static let counter = Atomic<Int>(0)

    static var count: Int { counter.load(ordering: .acquiring) }

    /// Called before a part of a model changes.
    static func note() { counter.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
