// The facts about sections that a delegate is given, and the kinds of changes.

/// A section of a fetched results controller.
public protocol NSFetchedResultsSectionInfo {
    /// The name of the section: the objects' common value at the section name key path, as text. Empty for
    /// nil, and for the one section of a controller without sections.
    var name: String { get }
    /// The title in the index beside a long list.
    var indexTitle: String? { get }
    /// The number of objects in the section.
    var numberOfObjects: Int { get }
    /// The objects in their order. Made when asked for; `object(at:)` costs less for a few.
    var objects: [Any]? { get }
}

/// The kind of change of an object or a section, with Apple's raw values.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// An object or a section came.
    case insert = 1
    /// An object or a section went.
    case delete = 2
    /// The object has another place, relative to those that didn't change. It may have changed otherwise too.
    case move = 3
    /// The object changed and has its place still.
    case update = 4
}
