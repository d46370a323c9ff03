// A property whose value is the result of a fetch.

import Foundation

/// A property whose value is fetched when it is asked for.
open class NSFetchedPropertyDescription: NSPropertyDescription {
    /// The fetch. Its predicate may use `$FETCH_SOURCE`, the object whose property is read, and
    /// `$FETCHED_PROPERTY`, this description.
    public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { willSet { assertMutable() } }

    public required init() {
        super.init()
        isTransient = true
    }

    override func takeFields(from other: NSPropertyDescription) {
        super.takeFields(from: other)
        guard let other = other as? NSFetchedPropertyDescription else { return }
        fetchRequest = other.fetchRequest.map { NSFetchRequest(fields: $0.fields) }
    }

    override func freeze() {
        super.freeze()
        fetchRequest?.freeze()
    }
}
