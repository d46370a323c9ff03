// An index of an entity.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// An index that a database is to keep for an entity.
open class NSFetchIndexDescription: NSObject, NSCopying, NSCoding {
    /// The name, unique among the entity's indexes.
    open var name: String { willSet { assertMutable() } }

    /// The elements that are indexed, most significant first.
    open var elements: [NSFetchIndexElementDescription] {
        willSet { assertMutable() }
        didSet { for element in elements { element.indexDescription = self } }
    }

    /// Restricts the index to the rows that satisfy it.
    open var partialIndexPredicate: NSPredicate? { willSet { assertMutable() } }

    private final var entityReference: EntityReference?
    /// The entity that the index is of.
    public internal(set) final var entity: NSEntityDescription? {
        get { entityReference?.entity }
        set { entityReference = newValue?.reference }
    }

    private var isFrozen = false

    /// An index of these elements, in their order.
    ///
    /// - Parameters:
    ///   - name: the index's name, unique within the entity.
    ///   - elements: its elements, in order.
    public required init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        for element in self.elements { element.indexDescription = self }
    }

    /// Reads an index that was archived alone, with what its elements index.
    public required init?(coder: NSCoder) {
        guard let archived = DescriptionArchive.decodeEntity(coder)?.indexes.first else { return nil }
        name = archived.name
        elements = archived.elements
        partialIndexPredicate = archived.partialIndexPredicate
        super.init()
        for element in elements { element.indexDescription = self }
    }

    /// Archives the index with what its elements index.
    open func encode(with coder: NSCoder) {
        DescriptionArchive.encode(
            EntitySchema(archiving: elements.compactMap(\.property), indexes: [FetchIndexSchema(self)]),
            with: coder)
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let elements = elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
        let copy = type(of: self).init(name: name, elements: elements)
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return self === other || isStructurallyEqual(to: other)
    }

    open override var hash: Int { name.hashValue }

    func freeze() {
        isFrozen = true
        for element in elements { element.freeze() }
    }

    private func assertMutable() {
        if isFrozen { raise(.internalInconsistency, "Can't modify an immutable model.") }
    }
}
