// An attribute made of other attributes.

import CoreDataSupport
public import Foundation

/// An attribute whose value is a dictionary of named parts; a part may be composite again.
open class NSCompositeAttributeDescription: NSAttributeDescription {
    /// The parts. Only attributes; a composite can't contain itself.
    open var elements: [NSAttributeDescription] = [] {
        willSet {
            assertMutable()
            if newValue.contains(where: { $0.contains(self) }) {
                raise(.invalidArgument, "The composite attribute \"\(name)\" can't contain itself.")
            }
        }
    }

    public override init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    @discardableResult
    override func takeFields(from other: NSPropertyDescription) -> Bool {
        guard super.takeFields(from: other), let other = other as? NSCompositeAttributeDescription else {
            return false
        }
        elements = other.elements.compactMap { $0.copy() as? NSAttributeDescription }
        return true
    }

    override func freeze() {
        super.freeze()
        for element in elements { element.freeze() }
    }
}

extension NSAttributeDescription {
    /// Returns whether this is `other` or has it among its parts.
    fileprivate func contains(_ other: NSAttributeDescription) -> Bool {
        if self === other { return true }
        let parts = (self as? NSCompositeAttributeDescription)?.elements ?? []
        return parts.contains { $0.contains(other) }
    }
}
