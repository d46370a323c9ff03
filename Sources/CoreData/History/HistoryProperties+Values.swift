// The values of tombstones.

import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension HistoryProperties.Preserved {
    /// A tombstone's value as clients see it; `nil` if there was none.
    func value(_ stored: SQLBinding) -> Any? {
        guard let attribute = slot.attribute else { return nil }
        if attribute.type == .transformable {
            guard case .blob(let bytes) = stored else { return nil }
            return TransformableCoding.decode(bytes, attribute: attribute, entity: "", property: name)
        }
        return stored.value(attribute.type).any
    }

    /// The keys that lead to the value: the attribute's name, and below a composite one those of its elements.
    var path: ArraySlice<String> { CompositeElements.path(name) }
}
