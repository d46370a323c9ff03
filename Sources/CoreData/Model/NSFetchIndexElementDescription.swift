// One element of a fetch index.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// One element of a fetch index: a property of the entity, or an expression.
open class NSFetchIndexElementDescription: NSObject, NSCopying, NSCoding {
    /// The property that is indexed.
    public internal(set) final var property: NSPropertyDescription?

    /// The kind of index.
    open var collationType: NSFetchIndexElementType { willSet { assertMutable() } }

    /// Indicates whether the index ascends. True by default.
    open var isAscending = true { willSet { assertMutable() } }

    /// The index that the element belongs to.
    public internal(set) final weak var indexDescription: NSFetchIndexDescription?

    private var isFrozen = false

    /// An element for a property, in an index of this kind.
    ///
    /// - Parameters:
    ///   - property: an attribute, a to-one relationship, or an expression.
    ///   - collationType: the kind of index.
    public required init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
        super.init()
    }

    /// Reads an element that was archived alone, with what it indexes.
    public required init?(coder: NSCoder) {
        guard let archived = DescriptionArchive.decodeEntity(coder)?.indexes.first?.elements.first else {
            return nil
        }
        property = archived.property
        collationType = archived.collationType
        isAscending = archived.isAscending
        super.init()
    }

    /// Archives the element with what it indexes.
    open func encode(with coder: NSCoder) {
        let index = FetchIndexSchema(name: "Archive", elements: [FetchIndexElementSchema(self)])
        DescriptionArchive.encode(
            EntitySchema(archiving: [property].compactMap { $0 }, indexes: [index]), with: coder)
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init(
            property: property ?? NSPropertyDescription(), collationType: collationType)
        copy.isAscending = isAscending
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        return self === other || isStructurallyEqual(to: other)
    }

    open override var hash: Int { (propertyName ?? "").hashValue }

    func freeze() {
        isFrozen = true
    }

    private func assertMutable() {
        if isFrozen { raise(.internalInconsistency, "Can't modify an immutable model.") }
    }
}

extension NSFetchIndexElementDescription {
    /// The name of what is indexed.
    public var propertyName: String? { property?.name }
}
