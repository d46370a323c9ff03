// An attribute whose value the store computes when the object is saved.

import Foundation

/// An attribute whose value the store derives from others at each save.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// The computation of the value: a key path, `canonical:` of one, `@count` or `@sum` over a to-many
    /// relationship, or `now()`. A store that can't do one of them refuses the model when it is added.
    open var derivationExpression: NSExpression? { willSet { assertMutable() } }

    /// Restricts what an aggregate derivation counts. Kept for the model file.
    final var filterPredicate: NSPredicate? { willSet { assertMutable() } }

    @discardableResult
    override func takeFields(from other: NSPropertyDescription) -> Bool {
        guard super.takeFields(from: other), let other = other as? NSDerivedAttributeDescription else {
            return false
        }
        derivationExpression = other.derivationExpression
        filterPredicate = other.filterPredicate
        return true
    }
}
