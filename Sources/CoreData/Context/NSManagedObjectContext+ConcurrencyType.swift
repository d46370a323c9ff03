// The kind of a context, and when its blocks run.

extension NSManagedObjectContext {
    /// A context of the given kind.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

    /// The kinds of contexts.
    public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
        /// The kinds in their older form.
        public typealias RawValue = NSManagedObjectContextConcurrencyType

        public let rawValue: NSManagedObjectContextConcurrencyType

        public init(rawValue: NSManagedObjectContextConcurrencyType) {
            self.rawValue = rawValue
        }

        /// On a queue of its own.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        /// On the main queue.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    /// When an asynchronous `perform` runs its block.
    public struct ScheduledTaskType: Hashable, Sendable {
        private let isEnqueued: Bool

        /// At once, if the caller is on the context's queue already; else as `enqueued`.
        public static let immediate = ScheduledTaskType(isEnqueued: false)
        /// After what is already waiting.
        public static let enqueued = ScheduledTaskType(isEnqueued: true)
    }
}
