// The results as a value: section names and object IDs.

import CoreDataSupport

/// The results of a fetched results controller at one moment, for any thread.
///
/// It can do what data sources of user interfaces expect of Apple's `NSDiffableDataSourceSnapshot`, which exists
/// beside such interfaces only.
public struct FetchedResultsSnapshot: Sendable, Hashable {
    /// The names of the sections, in order. One empty name without sections.
    public let sectionIdentifiers: [String]
    /// Objects that changed since the snapshot before, in their places or moved from them.
    public let reloadedItemIdentifiers: [NSManagedObjectID]
    private let items: [[NSManagedObjectID]]

    /// A snapshot of these sections. There must be as many names as lists of IDs.
    ///
    /// - Parameters:
    ///   - sectionIdentifiers: the sections' names, in order.
    ///   - items: the IDs of each section's objects, in order.
    ///   - reloadedItemIdentifiers: those whose values changed.
    public init(
        sectionIdentifiers: [String], items: [[NSManagedObjectID]],
        reloadedItemIdentifiers: [NSManagedObjectID] = []
    ) {
        if sectionIdentifiers.count != items.count {
            raise(
                .invalidArgument,
                "a snapshot of \(sectionIdentifiers.count) sections has \(items.count) lists of IDs")
        }
        self.sectionIdentifiers = sectionIdentifiers
        self.items = items
        self.reloadedItemIdentifiers = reloadedItemIdentifiers
    }

    /// The IDs of all objects, section by section.
    public var itemIdentifiers: [NSManagedObjectID] {
        items.count == 1 ? items[0] : Array(items.joined())
    }

    /// The number of objects.
    public var numberOfItems: Int { items.reduce(0) { $0 + $1.count } }
    /// The number of sections in the snapshot.
    public var numberOfSections: Int { items.count }

    /// Returns the IDs of a section's objects; none for a name that isn't there.
    public func itemIdentifiers(inSection identifier: String) -> [NSManagedObjectID] {
        indexOfSection(identifier).map { items[$0] } ?? []
    }

    /// Returns how many objects a section has; 0 for a name that isn't there.
    public func numberOfItems(inSection identifier: String) -> Int {
        indexOfSection(identifier).map { items[$0].count } ?? 0
    }

    /// Returns the place of an object among all. Looks through them.
    public func indexOfItem(_ identifier: NSManagedObjectID) -> Int? {
        var start = 0
        for section in items {
            if let place = section.firstIndex(of: identifier) { return start + place }
            start += section.count
        }
        return nil
    }

    /// Returns the place of a section.
    public func indexOfSection(_ identifier: String) -> Int? { sectionIdentifiers.firstIndex(of: identifier) }

    /// Returns the section that an object is in.
    public func sectionIdentifier(containingItem identifier: NSManagedObjectID) -> String? {
        items.firstIndex { $0.contains(identifier) }.map { sectionIdentifiers[$0] }
    }
}
