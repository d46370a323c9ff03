// The kinds of contexts.

/// The kinds of contexts, with Apple's raw values.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// Without a queue: used by one thread at a time, as the client sees to it.
    case confinementConcurrencyType = 0
    /// On a queue of its own.
    case privateQueueConcurrencyType = 1
    /// On the main queue.
    case mainQueueConcurrencyType = 2
}
