// The changes since the last fetch or save.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// Marks the object as changed, once.
    @inline(__always)
    final func noteChange() {
        if state.isNoted { return }
        if state.traits.contains(.trackingOff) { return }
        _ = withContext { $0.noteChange(of: self) }
    }

    /// Returns whether a hand-written setter of the key marks the object as changed.
    final func marksChange(of key: String) -> Bool {
        runtime.property(key) != nil || !type(of: self).contextShouldIgnoreUnmodeledPropertyChanges
    }

    final func valuesToSave() -> [String: Any] {
        checkQueue()
        var changed: [String: Any] = [:]
        guard hasChanges, !state.isFault else { return changed }
        for property in runtime.properties where isChanged(property) {
            changed[property.name] = storedValue(property) ?? NSNull()
        }
        return changed
    }

    final func valuesBeforeEvent() -> [String: Any] {
        checkQueue()
        var values: [String: Any] = [:]
        guard !state.marks.isDisjoint(with: [.pending, .announced]), !state.isFault else { return values }
        let before = rowBeforeEvent
        let now = RowPointer(row, slab: slab)
        for property in runtime.properties {
            switch property.kind {
            case .attribute(let slot) where !SlotValue.areEqual(slot, left: now, right: before):
                values[property.name] = committedValue(slot, property: property, row: before) ?? NSNull()
            case .composite(let slots)
            where slots.contains(where: { !SlotValue.areEqual($0, left: now, right: before) }):
                values[property.name] = compositeValue(slots, property: property, in: before) ?? NSNull()
            case .toOne(let slot, let relation) where !SlotValue.areEqual(slot, left: now, right: before):
                values[property.name] = target(slot, relation: relation, in: before.words) ?? NSNull()
            case .toMany(let relation):
                if let members = extras?.relations[relation.number] as? ToMany,
                    let set = members.setBeforeEvent
                {
                    values[property.name] = set
                }
            default: break
            }
        }
        return values
    }

    /// Remembers the row before the current event, once.
    final func keepEventRow() {
        let extras = ensureExtras()
        if extras.eventRow == nil {
            extras.eventRow = OwnedRow.copy(row, layout: runtime.layout)
            extras.eventSlab = slab
            state.mark(.keeping)
        }
    }

    /// The values before the current event.
    final var rowBeforeEvent: RowPointer {
        if let extras, let row = extras.eventRow { return RowPointer(row, slab: extras.eventSlab) }
        return RowPointer(committed ?? runtime.nullRow, slab: slab)
    }

    /// The event is over.
    final func endEvent() {
        // The extras lie elsewhere in memory: of each of many objects they are looked at only where there is something to end.
        let mayHaveExtras = state.marks.contains(.keptRow) || !withEntity { $0.toManyNumbers.isEmpty }
        state.mark(.end)
        if mayHaveExtras, let extras { endEvent(of: extras) }
    }

    private final func endEvent(of extras: ObjectExtras) {
        if let eventRow = extras.eventRow {
            OwnedRow.destroy(eventRow, layout: runtime.layout)
            extras.eventRow = nil
            extras.eventSlab = nil
        }
        eachTouchedToMany(extras) { $0.endEvent() }
    }

    /// Calls the closure with each to-many relationship that was touched.
    @inline(__always)
    final func eachTouchedToMany(_ extras: ObjectExtras, body: (ToMany) -> Void) {
        if withEntity({ $0.toManyNumbers.isEmpty }) { return }
        for number in runtime.toManyNumbers {
            if let members = extras.relations[number] { body(unsafeDowncast(members, to: ToMany.self)) }
        }
    }

    final func compositeValue(
        _ slots: [Slot], property: PropertyRuntime, in row: RowPointer
    ) -> [String: Any]? {
        var elements: [String: Any] = [:]
        for slot in slots {
            guard let value = committedValue(slot, property: property, row: row) else { continue }
            let path = slot.name.dropFirst(property.name.count + 1)
            CompositeElements.set(value, at: CompositeElements.path(path), in: &elements)
        }
        return elements.isEmpty ? nil : elements
    }

    /// Returns whether a property's value differs from the last saved one.
    final func isChanged(_ property: PropertyRuntime) -> Bool {
        switch property.kind {
        case .attribute(let slot): return isChanged(slot)
        case .composite(let slots): return slots.contains(where: isChanged)
        case .toOne(let slot, _): return isChanged(slot)
        case .toMany(let relation):
            return (extras?.relations[relation.number] as? ToMany)?.isChanged ?? false
        case .fetched: return false
        }
    }

    /// Returns whether the value of a slot differs from the last saved one.
    final func isChanged(_ slot: Slot) -> Bool {
        guard let committed else { return !RowPointer(row, slab: slab).isNull(slot.index) }
        return !SlotValue.areEqual(
            slot, left: RowPointer(row, slab: slab), right: RowPointer(committed, slab: slab))
    }

    /// Numbers of the slots that a save must write.
    final func changedPersistentSlots() -> [Int] {
        guard state.ownsRow else { return [] }
        let (now, before) = (RowPointer(row, slab: slab), committed.map { RowPointer($0, slab: slab) })
        var changed: [Int] = []
        for slot in runtime.layout.slots where !slot.isTransient {
            let isChanged =
                if let before { !SlotValue.areEqual(slot, left: now, right: before) } else {
                    !now.isNull(slot.index)
                }
            if isChanged { changed.append(slot.index) }
        }
        return changed
    }

    final var hasValuesToSave: Bool {
        checkQueue()
        guard hasChanges, !state.isFault else { return false }
        return runtime.properties.contains { !$0.schema.isTransient && isChanged($0) }
    }

    final func savedValues(of keys: [String]?) -> [String: Any] {
        checkQueue()
        if state.isNew { return [:] }
        prepareToRead()
        guard let committed else { return [:] }
        var values: [String: Any] = [:]
        let pointer = RowPointer(committed, slab: slab)
        for property in keys.map({ $0.compactMap(runtime.property) }) ?? runtime.properties {
            switch property.kind {
            case .attribute(let slot):
                values[property.name] = committedValue(slot, property: property, row: pointer) ?? NSNull()
            case .composite(let slots):
                values[property.name] = compositeValue(slots, property: property, in: pointer) ?? NSNull()
            case .toOne(let slot, let relation):
                values[property.name] = target(slot, relation: relation, in: committed) ?? NSNull()
            case .toMany(let relation): values[property.name] = toMany(relation).committedSet
            case .fetched: break
            }
        }
        return values
    }

    final func committedValue(_ slot: Slot, property: PropertyRuntime, row: RowPointer) -> Any? {
        guard slot.kind == .transformable else {
            if let value = SlotValue.any(slot, in: row) { return value }
            return slot.kind == .externalData ? externalData(slot, property: property, in: row) : nil
        }
        if row.isNull(slot.index) { return nil }
        let reference = CellReference(word: row.words[slot.word])
        if reference.isBox, let object = reference.box.object { return object }
        guard let attribute = slot.attribute else { return nil }
        return TransformableCoding.decode(
            row.data(slot), attribute: attribute, entity: runtime.name, property: property.name)
    }
}
