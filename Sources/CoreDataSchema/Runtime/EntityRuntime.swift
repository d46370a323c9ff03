// An entity of a model in use: the layout of its rows, and its properties by number.

/// The knowledge of stores about an entity, and that of objects and contexts beside its class.
///
/// Unchecked because everything is set before the model's runtime is handed out.
open class EntityRuntime: @unchecked Sendable {
    package final let name: String
    /// Position in `ModelRuntime.runtimes`.
    package final let number: Int
    /// Indicates whether a slot holds objects that stores keep as bytes.
    package final let hasTransformables: Bool
    /// Position of the root of the inheritance tree.
    package final let rootNumber: Int
    package final let layout: RowLayout
    /// Superentity's properties first, each entity's own sorted by name.
    package final let properties: [PropertyRuntime]
    package final let propertyNumbers: [String: Int]
    /// The number of the property that each slot belongs to.
    package final let slotProperties: [Int]
    /// The kind of each slot, where typed access gets at it with one load.
    package final let kinds: UnsafeMutablePointer<SlotKind>
    /// The to-one and to-many relationships, by their numbers.
    package final let relations: [RelationRuntime]
    /// Numbers of the to-many relationships in `relations`.
    package final let toManyNumbers: [Int]
    /// Numbers of this entity and of all below it.
    package final let subtree: [Int]
    package final let isAbstract: Bool
    /// The row of a new object: the model's default values. Nil everywhere until the maker has stored them.
    package final let defaultRow: UnsafeMutablePointer<UInt64>
    /// A row in which everything is nil: what a fault shows until it is filled.
    package final let nullRow: UnsafeMutablePointer<UInt64>
    /// The model that has the entity, which owns it: sound because whoever has an entity holds its model (`IDOrigin.model`,
    /// `ObjectRegistry.model`, `StoreHost`), which the address sanitizer watches (Scripts/test --long).
    package final unowned(unsafe) let modelRuntime: ModelRuntime

    package init(_ entity: ModelIndex.Entity, number: Int, model: ModelRuntime) {
        name = entity.name
        self.number = number
        modelRuntime = model
        let index = model.index
        isAbstract = entity.schema.isAbstract
        rootNumber = index.entityNames.firstIndex(of: entity.rootName) ?? number
        layout = RowLayout(entity: entity, in: index)
        hasTransformables = !layout.transformableSlots.isEmpty
        subtree = index.subtree(of: entity.name).compactMap(index.entityNames.firstIndex)
        (properties, relations) = PropertyRuntime.all(of: entity, layout: layout, index)
        toManyNumbers = relations.filter(\.isToMany).map(\.number)
        propertyNumbers = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.number) })
        slotProperties = PropertyRuntime.numbers(ofSlots: layout.slots.count, properties)
        kinds = .allocate(capacity: max(1, layout.slots.count))
        for slot in layout.slots { (kinds + slot.index).initialize(to: slot.kind) }
        nullRow = OwnedRow.empty(layout)
        defaultRow = OwnedRow.empty(layout)
    }

    deinit {
        OwnedRow.destroy(defaultRow, layout: layout)
        OwnedRow.destroy(nullRow, layout: layout)
        kinds.deallocate()
    }

    /// Has each relationship know the one on its other side.
    final func connectInverses() {
        for relation in relations where relation.inverse == nil {
            guard let name = relation.inverseName,
                case .some(let number) = relation.destination(in: modelRuntime).propertyNumbers[name]
            else { continue }
            relation.inverseReference = relation.destination(in: modelRuntime).properties[number].relation
                .map(Unmanaged.passUnretained)
        }
    }

    package final func property(_ name: String) -> PropertyRuntime? {
        propertyNumbers[name].map { properties[$0] }
    }

    /// Returns whether a key path from the entity's objects goes through a to-many relationship. A key that
    /// only the class knows is taken for one where it stands alone.
    package final func pathIsToMany(_ path: ArraySlice<Substring>) -> Bool {
        var entity = self
        for key in path {
            switch entity.property(String(key))?.kind {
            case .toMany, .fetched: return true
            case nil: return path.count == 1
            case .toOne(_, let relation): entity = relation.destination(in: modelRuntime)
            default: return false
            }
        }
        return false
    }

    package final func isKind(of other: EntityRuntime) -> Bool {
        number == other.number || other.subtree.contains(number)
    }
}
