// What a fetch looks for.

public import Foundation

/// The models that a fetch looks for: their class, a predicate, an order and bounds.
///
/// ```swift
/// var descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.days > 3 }, sortBy: [SortDescriptor(\.name)])
/// descriptor.fetchLimit = 10
/// ```
public struct FetchDescriptor<T: PersistentModel> {
    /// The models' condition; nil for all.
    public var predicate: Predicate<T>?
    /// The order.
    public var sortBy: [SortDescriptor<T>]
    /// The greatest number of models; nil for no limit.
    public var fetchLimit: Int?
    /// The number of models that are left out at the beginning.
    public var fetchOffset: Int?
    /// Indicates whether changes that aren't saved count. True by default.
    public var includePendingChanges = true
    /// The properties that are wanted; empty for all. Rows are read whole here, so that it changes nothing.
    public var propertiesToFetch: [PartialKeyPath<T>] = []
    /// The relationships whose models are read at once.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

    /// A descriptor.
    ///
    /// - Parameters:
    ///   - predicate: the models' condition; nil for all.
    ///   - sortBy: the order.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}

// Unchecked because key paths, which aren't marked so, never change.
extension FetchDescriptor: @unchecked Sendable {}
