// Queues are objects that can be compared on Apple's systems.

public import Dispatch

extension DispatchQueue: @retroactive Equatable, @retroactive Hashable {
    /// Returns whether both are the same queue.
    ///
    /// - Parameters:
    ///   - one: a queue.
    ///   - other: another queue, or the same.
    public static func == (one: DispatchQueue, other: DispatchQueue) -> Bool { one === other }

    /// Hashes the queue's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
