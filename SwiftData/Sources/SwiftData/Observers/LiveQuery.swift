// A query for interfaces that aren't SwiftUI's. An addition.

/// The value of a query, now and each time that it changes: for web pages, terminals and other interfaces that have no `@Query`.
///
/// ```swift
/// let titles = LiveQuery(container) { context in
///     try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])).map(\.title)
/// }
/// for try await list in titles { page.show(list) }
/// ```
///
/// Each value is read in a context of its own after a save of the container's contexts or of another process. Changes that come while
/// a value is read, or while nobody asks for the next one, lead to one more value together. An error ends the sequence.
public struct LiveQuery<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    /// The values.
    public typealias Element = Value

    private let container: ModelContainer
    private let read: @Sendable (ModelContext) throws -> Value

    /// A query.
    ///
    /// - Parameters:
    ///   - container: the container whose saves are followed.
    ///   - read: fetches, and returns what is of interest as a value that can leave the context.
    public init(_ container: ModelContainer, read: @escaping @Sendable (ModelContext) throws -> Value) {
        self.container = container
        self.read = read
    }

    /// Begins to follow the container's saves.
    public func makeAsyncIterator() -> Iterator { Iterator(container, read) }

    /// The values of one who follows a query.
    public struct Iterator: AsyncIteratorProtocol {
        private let container: ModelContainer
        private let read: @Sendable (ModelContext) throws -> Value
        private let notifications: StoreNotifications
        private var changes: AsyncStream<Void>.Iterator
        private var last: Value?

        fileprivate init(
            _ container: ModelContainer, _ read: @escaping @Sendable (ModelContext) throws -> Value
        ) {
            self.container = container
            self.read = read
            let (stream, continuation) = AsyncStream.makeStream(
                of: Void.self, bufferingPolicy: .bufferingNewest(1))
            notifications = StoreNotifications(container.coordinator) { continuation.yield() }
            continuation.yield()
            changes = stream.makeAsyncIterator()
        }

        /// Returns the next value that differs from the last one; nil once the task is cancelled.
        ///
        /// - Throws: what reading the value throws.
        public mutating func next() async throws -> Value? {
            while await changes.next() != nil {
                let value = try read(ModelContext(container))
                if value != last {
                    last = value
                    return value
                }
            }
            return nil
        }
    }
}
