// Typed access to attributes: what the subscript of `ManagedAttribute` comes to. A number of an object whose values
// are there is a test of one flag and a load, inlined into the client: no key look-up, no box, no call.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// Returns whether an attribute can be read without preparation: the object is no fault, nobody observes it, and its entity has
    /// the attribute at the place that the handle states. For accessors of other packages.
    @inlinable @inline(__always)
    public final func isAtHand(_ attribute: ManagedAttribute) -> Bool { isPlain(attribute) }

    /// Returns whether the attribute may be read where its accessor says, without any preparation.
    @inlinable @inline(__always)
    final func isPlain(_ attribute: ManagedAttribute) -> Bool {
        attribute.word != 0 && taggedRow & 1 == 0
    }

    /// The row of an object whose tag is not set.
    @inlinable @inline(__always)
    final var plainRow: UnsafePointer<UInt64> {
        UnsafePointer(bitPattern: taggedRow & ~2).unsafelyUnwrapped
    }

    /// Returns whether the accessor's place is known to be the attribute's.
    private final func isPlaced(_ attribute: ManagedAttribute) -> Bool {
        attribute.word != 0 && !state.traits.contains(.layoutMismatch)
    }

    // MARK: Numbers and dates

    /// The word of an attribute; 0 for nil.
    @inlinable @inline(__always)
    final func loadWord(_ attribute: ManagedAttribute, form: WordForm) -> UInt64 {
        isPlain(attribute) ? plainRow[attribute.word] : loadWordSlowly(attribute, form: form)
    }

    @inlinable @inline(__always)
    final func isNil(_ attribute: ManagedAttribute) -> Bool {
        isPlain(attribute)
            ? plainRow[-1 - attribute.index >> 6] & (1 << UInt64(attribute.index & 63)) != 0
            : isNilSlowly(attribute)
    }

    @usableFromInline @inline(never)
    final func loadWordSlowly(_ attribute: ManagedAttribute, form: WordForm) -> UInt64 {
        if isPlaced(attribute) {
            prepareToRead(.slot(attribute.index))
            return row[attribute.word]
        }
        let property = property(attribute)
        prepareToRead(.property(property))
        if case .attribute(let slot) = property.kind, form.isForm(of: slot.kind) { return row[slot.word] }
        guard let value = storedValue(property) else { return 0 }
        guard let word = form.word(of: value) else {
            warnOfType(property.name, value: value, wanted: "\(form)")
            return 0
        }
        return word
    }

    /// Returns whether there is nothing to read as a number or date of a form: the attribute is nil,
    /// or holds something else.
    @inlinable @inline(__always)
    final func isNil(_ attribute: ManagedAttribute, form: WordForm) -> Bool {
        isPlain(attribute) ? isNil(attribute) : isNilSlowly(attribute, form: form)
    }

    @usableFromInline @inline(never)
    final func isNilSlowly(_ attribute: ManagedAttribute, form: WordForm) -> Bool {
        if isPlaced(attribute) {
            prepareToRead(.slot(attribute.index))
            return RowPointer(row, slab: nil).isNull(attribute.index)
        }
        let property = property(attribute)
        prepareToRead(.property(property))
        if case .attribute(let slot) = property.kind, form.isForm(of: slot.kind) {
            return RowPointer(row, slab: nil).isNull(slot.index)
        }
        guard let value = storedValue(property) else { return true }
        if form.word(of: value) != nil { return false }
        warnOfType(property.name, value: value, wanted: "\(form)")
        return true
    }

    @usableFromInline @inline(never)
    final func isNilSlowly(_ attribute: ManagedAttribute) -> Bool {
        let property = property(attribute)
        prepareToRead(.property(property))
        if case .attribute(let slot) = property.kind {
            return RowPointer(row, slab: nil).isNull(slot.index)
        }
        return storedValue(property) == nil
    }

    @usableFromInline
    final func storeWord(_ word: UInt64, form: WordForm, attribute: ManagedAttribute) {
        if isPlain(attribute), isMarked, let word = form.fitted(word, to: runtime.kinds[attribute.index]) {
            row[attribute.word] = word
            return RowPointer(row, slab: nil).setNull(attribute.index, isNull: false)
        }
        storeWordSlowly(word, form: form, attribute: attribute)
    }

    /// Indicates whether a change need only be written (`ObjectState.isMarked`).
    @inline(__always)
    final var isMarked: Bool { taggedRow & 2 != 0 }

    @inline(never)
    private final func storeWordSlowly(_ word: UInt64, form: WordForm, attribute: ManagedAttribute) {
        guard isPlaced(attribute), let word = form.fitted(word, to: runtime.kinds[attribute.index]) else {
            let property = property(attribute)
            return setModelled(form.value(of: word, for: property), property: property)
        }
        observersWill(property(attribute).name)
        prepareToChange()
        row[attribute.word] = word
        RowPointer(row, slab: nil).setNull(attribute.index, isNull: false)
        noteChange()
        observersDid(property(attribute).name)
    }

    @usableFromInline
    final func storeNil(_ attribute: ManagedAttribute) { setModelled(nil, property: property(attribute)) }

    // MARK: Contents of a cell

    final func loadString(_ attribute: ManagedAttribute) -> String? {
        if isPlain(attribute), runtime.kinds[attribute.index] == .string {
            let reference = CellReference(word: row[attribute.word])
            if reference.word == 0 { return nil }
            if let text = text(reference) { return text }
        }
        return anyValue(attribute).flatMap { typed($0, attribute: attribute) }
    }

    /// The string that a word which isn't 0 refers to; nil for what is kept in another form.
    @inline(__always)
    final func text(_ reference: CellReference) -> String? {
        // The address first: the slab, which the object holds, need not be retained for it.
        if !reference.isBox, let bytes = slab?.bytes(reference) {
            // Nor the registry.
            return Unmanaged.passUnretained(registry)._withUnsafeGuaranteedRef { $0.text(bytes) }
        }
        return reference.isBox ? reference.box.text : nil
    }

    /// Returns whether an attribute has a value that its accessor couldn't have: of another type,
    /// or one that wasn't read.
    final func hasLayoutMismatch(_ attribute: ManagedAttribute) -> Bool { hasFailedRead || !isNil(attribute) }

    final func storeString(_ text: String, attribute: ManagedAttribute) {
        if isPlain(attribute), isMarked, runtime.kinds[attribute.index] == .string,
            CellBox.replace(CellReference(word: row[attribute.word]), by: text)
        {
            return
        }
        storeReference(CellBox(text: text), as: .string, attribute: attribute)
    }

    /// The value of a slot of one kind, or the attribute's as any other can be had.
    final func loadReference<Wanted>(
        _ attribute: ManagedAttribute, kind: SlotKind, part: (Value) -> Wanted?
    ) -> Wanted? {
        if isPlain(attribute) {
            if row[attribute.word] == 0 { return nil }
            if runtime.kinds[attribute.index] == kind {
                let slot = runtime.layout.slots[attribute.index]
                if let found = part(RowPointer(row, slab: slab).value(slot)) { return found }
            }
        }
        return anyValue(attribute).flatMap { typed($0, attribute: attribute) }
    }

    final func storeReference(_ box: consuming CellBox, as kind: SlotKind, attribute: ManagedAttribute) {
        guard isPlaced(attribute), runtime.kinds[attribute.index] == kind else {
            return setModelled(box.value.any, property: property(attribute))
        }
        if isPlain(attribute), isMarked { return put(box, attribute: attribute) }
        observersWill(property(attribute).name)
        prepareToChange()
        put(box, attribute: attribute)
        noteChange()
        observersDid(property(attribute).name)
    }

    @inline(__always)
    private final func put(_ box: consuming CellBox, attribute: ManagedAttribute) {
        CellReference(word: row[attribute.word]).release()
        row[attribute.word] = CellReference(retaining: box).word
        RowPointer(row, slab: nil).setNull(attribute.index, isNull: false)
    }
}
