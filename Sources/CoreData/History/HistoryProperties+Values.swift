// The values of tombstones.

import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension HistoryProperties {
    /// A tombstone's value as clients see it; `nil` if there was none.
    static func value(_ stored: SQLBinding, of property: PropertyRuntime) -> Any? {
        guard let attribute = property.schema.attribute else { return nil }
        if attribute.type == .transformable {
            guard case .blob(let bytes) = stored else { return nil }
            return TransformableCoding.decode(
                bytes, attribute: attribute, entity: "", property: property.name)
        }
        return stored.value(attribute.type).any
    }
}
