// A property whose value is the result of a fetch.

public import Foundation

/// A property whose value is fetched when it is asked for.
///
/// Its `userInfo`, which the predicate can read (`$FETCHED_PROPERTY.userInfo.word`), may be set while the model is in use, where
/// no other thread is reading it.
open class NSFetchedPropertyDescription: NSPropertyDescription {
    /// The fetch whose objects are the property's value. Its predicate may use `$FETCH_SOURCE`, the object whose
    /// property is read, and `$FETCHED_PROPERTY`, this description.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { willSet { assertMutable() } }

    public override init() {
        super.init()
        isTransient = true
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    @discardableResult
    override func takeFields(from other: NSPropertyDescription) -> Bool {
        guard super.takeFields(from: other), let other = other as? NSFetchedPropertyDescription else {
            return false
        }
        fetchRequest = other.fetchRequest.map { NSFetchRequest(fields: $0.fields) }
        return true
    }

    override func assertUserInfoMutable() {
        if !isFrozen { assertMutable() }
    }

    override func freeze() {
        super.freeze()
        fetchRequest?.freeze()
    }
}
