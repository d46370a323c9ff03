// Stored values: what custom accessors build on.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObject {
    final func storedValue(forKey key: String) -> Any? {
        guard let property = runtime.property(key) else { return value(forUndefinedKey: key) }
        guard case .toMany(let relation) = property.kind else { return storedValue(property) }
        prepareToRead(.property(property))
        return toMany(relation).setToChange
    }

    @inline(__always)
    final func storedValue(_ property: PropertyRuntime) -> Any? {
        prepareToRead(.property(property))
        switch property.kind {
        case .attribute(let slot): return attributeValue(slot, property: property)
        case .composite(let slots): return compositeValue(slots, property: property)
        case .toOne(let slot, let relation): return toOne(slot, relation: relation)
        case .toMany(let relation): return toMany(relation).foundationSet
        case .fetched: return fetchedObjects(property)
        }
    }

    final func attributeValue(_ slot: Slot, property: PropertyRuntime) -> Any? {
        if slot.kind == .transformable { return transformed(slot, property: property) }
        if let value = SlotValue.any(slot, in: RowPointer(row, slab: slab)) { return value }
        return slot.kind == .externalData
            ? externalData(slot, property: property, in: RowPointer(row, slab: slab)) : nil
    }

    /// The object in a transformable slot, decoded once.
    private final func transformed(_ slot: Slot, property: PropertyRuntime) -> Any? {
        let pointer = RowPointer(row, slab: slab)
        if pointer.isNull(slot.index) { return nil }
        let reference = CellReference(word: row[slot.word])
        if reference.isBox, let object = reference.box.object { return object }
        if let known = extras?.decoded[slot.index] { return known }
        guard let attribute = slot.attribute else { return nil }
        do {
            let object = try TransformableCoding.object(
                from: pointer.data(slot), attribute: attribute, entity: runtime.name, property: property.name)
            if let object { ensureExtras().decoded[slot.index] = object }
            return object
        } catch {
            registry.context?.noteFailedRead(
                of: self, property: property.name, for: property.name, cause: error)
            return nil
        }
    }

    private final func compositeValue(_ slots: [Slot], property: PropertyRuntime) -> Any? {
        var elements: [String: Any] = [:]
        for slot in slots {
            let path = slot.name.dropFirst(property.name.count + 1)
            guard let value = attributeValue(slot, property: property) else { continue }
            CompositeElements.set(value, at: CompositeElements.path(path), in: &elements)
        }
        return elements.isEmpty ? nil : elements
    }

    // MARK: Changes that hand-written accessors announce

    /// Has a to-one relationship's inverse follow what is set primitively from now on.
    final func beginAnnouncedChange(of key: String) {
        guard let property = runtime.property(key), case .toOne(_, let relation) = property.kind else {
            return
        }
        ensureExtras().announced.append(relation.number)
    }

    /// Ends what `beginAnnouncedChange` began, and takes over what an accessor changed in a to-many relationship's primitive set.
    ///
    /// - Parameter changed: the objects that alone were added or removed, if the accessor named them.
    final func endAnnouncedChange(of key: String, changed: [NSManagedObject]? = nil) {
        guard let extras, let relation = runtime.property(key)?.relation else { return }
        if let place = extras.announced.lastIndex(of: relation.number) { extras.announced.remove(at: place) }
        guard relation.isToMany, let members = extras.relations[relation.number] else { return }
        withoutTelling { unsafeDowncast(members, to: ToMany.self).follow(changed: changed) }
    }

    final func completeAnnouncedChange(of key: String) {
        if marksChange(of: key) { noteChange() }
        observersDid(key)
    }

    // MARK: Setting

    final func setStoredValue(_ value: Any?, forKey key: String) {
        guard let property = runtime.property(key) else { return setValue(value, forUndefinedKey: key) }
        prepareToChange()
        switch property.kind {
        case .attribute(let slot): store(value, slot: slot, property: property)
        case .composite(let slots): storeComposite(value, slots: slots, property: property)
        case .toOne(let slot, let relation):
            let object = related(value, relation: relation)
            if extras?.announced.contains(relation.number) == true {
                withoutTelling { setToOne(object, slot: slot, relation: relation) }
            } else {
                storeToOne(object, slot: slot, relation: relation)
            }
        case .toMany(let relation):
            let members = members(value, relation: relation)
            withoutTelling { toMany(relation).replace(with: members) }
        case .fetched:
            raise(
                .invalidArgument, "fetched property \"\(property.name)\" can't be set",
                instead: "setValues(checking:)")
        }
    }

    /// Writes an attribute's slot of the owned row.
    final func store(_ value: Any?, slot: Slot, property: PropertyRuntime) {
        if slot.kind == .transformable { extras?.decoded[slot.index] = nil }
        if !SlotValue.store(any: value, slot, in: row) {
            raise(
                .invalidArgument,
                "Unacceptable type of value for attribute: entity = \"\(runtime.name)\", property = "
                    + "\"\(property.name)\"; desired type = \(slot.kind); given type = "
                    + "\(value.map { "\(type(of: $0))" } ?? "nil"); value = \(String(describing: value))",
                instead: "setValues(checking:)")
        }
    }

    final func storeComposite(_ value: Any?, slots: [Slot], property: PropertyRuntime) {
        guard value == nil || value is [String: Any] else {
            raise(
                .invalidArgument,
                "composite attribute \"\(property.name)\" of entity \"\(runtime.name)\" takes a dictionary",
                instead: "setValues(checking:)")
        }
        for slot in slots {
            let path = slot.name.dropFirst(property.name.count + 1).split(separator: ".")
            var element: Any? = value
            for name in path { element = (element as? [String: Any])?[String(name)] }
            store(element, slot: slot, property: property)
        }
    }

    /// Makes the current row the object's own, so that it may be written.
    final func prepareToChange() {
        prepareToRead()
        if !state.ownsRow {
            row = OwnedRow.copy(row, layout: runtime.layout)
            var next = state
            next.rows(.copying)
            if !next.traits.contains(.trackingOff) { next.mark(.copying) }
            state = next
        } else if state.marks.isDisjoint(with: [.pending, .freshRow]), !state.traits.contains(.trackingOff),
            primaryKey != 0
        {
            keepEventRow()
        }
    }

    final func ensureExtras() -> ObjectExtras {
        ensuredExtras._withUnsafeGuaranteedRef { $0 }
    }

    /// The store that the object will be inserted into, if it was assigned to one.
    final var assignedStore: NSPersistentStore? {
        get { state.traits.contains(.assigned) ? extras?.assignedStore : nil }
        set {
            ensureExtras().assignedStore = newValue
            if newValue == nil { state.remove(.assigned) } else { state.insert(.assigned) }
        }
    }

    /// Calls the closure with the extras, if there are any, and counts no reference to them.
    @inline(__always)
    final func withExtras<Result>(_ body: (ObjectExtras) throws -> Result) rethrows -> Result? {
        guard let extras = extras.map(Unmanaged.passUnretained) else { return nil }
        return try uncounted(extras, body)
    }

    /// The extras, made where there are none, without counting a reference to them.
    @inline(__always)
    final var ensuredExtras: Unmanaged<ObjectExtras> {
        extras.map(Unmanaged.passUnretained) ?? makeExtras()
    }

    @inline(never)
    private final func makeExtras() -> Unmanaged<ObjectExtras> {
        let made = ObjectExtras(relationCount: withEntity { $0.relations.count })
        extras = made
        return .passUnretained(made)
    }
}
