// The check that a class's accessors fit an entity: the places that its companions state
// against the entity's layout.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// The place in which the accessor of a property expects it.
enum StatedPlace {
    case attribute(String, word: Int, index: Int, Any.Type)
    case relationship(String, number: Int)
}

extension StatedPlace {
    var key: String {
        switch self {
        case .attribute(let key, _, _, _), .relationship(let key, _): key
        }
    }

    /// Returns whether the entity has the property there.
    func fits(_ entity: ManagedEntity) -> Bool {
        switch self {
        case .attribute(let key, let word, let index, let type):
            guard let property = entity.property(key), case .attribute(let slot) = property.kind else {
                return false
            }
            return slot.word == word && slot.index == index && Self.holds(type, kind: slot.kind)
        case .relationship(let key, let number):
            guard let property = entity.property(key) else { return false }
            return property.number == number && !property.isAttribute
        }
    }

    /// Returns whether inlined accessors of a type may read the word of such a slot as it is. Only numbers
    /// and dates do that: other accessors look at the slot's kind.
    private static func holds(_ type: Any.Type, kind: SlotKind) -> Bool {
        switch type {
        case is Int.Type, is Int16.Type, is Int32.Type, is Int64.Type, is Int?.Type, is Int16?.Type,
            is Int32?.Type, is Int64?.Type:
            WordForm.integer.isForm(of: kind)
        case is Bool.Type, is Bool?.Type: WordForm.boolean.isForm(of: kind)
        case is Double.Type, is Double?.Type:
            // A date's word is its interval as a number.
            WordForm.double.isForm(of: kind) || kind == .date
        case is Float.Type, is Float?.Type: WordForm.double.isForm(of: kind)
        case is Date.Type, is Date?.Type: WordForm.date.isForm(of: kind)
        default: true
        }
    }
}

extension KeyRegistry {
    /// Returns whether the accessors of a class carry the places of the entity's properties.
    /// Says so once if they aren't.
    func fits(_ entity: ManagedEntity, objectClass: NSManagedObject.Type) -> Bool {
        if places.isEmpty { return false }
        let wrong = places.filter { !$0.fits(entity) }.map(\.key)
        if wrong.isEmpty { return true }
        Log.warning(
            "\(objectClass) was generated for another model than the one in use: entity \"\(entity.name)\" has "
                + "\(wrong.joined(separator: ", ")) at other places, so its properties are found by key")
        return false
    }
}
