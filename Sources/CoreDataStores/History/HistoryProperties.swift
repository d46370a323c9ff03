// The properties of an entity that the history knows, with their numbers.

package import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
package import Foundation

package enum HistoryProperties {
    /// The properties in the order of an update's bitmap: all but fetched ones, by name.
    package static func numbered(_ entity: EntityRuntime) -> [PropertyRuntime] {
        entity.properties.filter {
            if case .fetched = $0.kind { return false }
            return true
        }.sorted { $0.name < $1.name }
    }

    /// A value that outlives a deleted object: of an attribute, or of one element of a composite attribute.
    package struct Preserved {
        package let property: PropertyRuntime
        package let slot: Slot
        /// The attribute's name, or the key path of the element.
        package var name: String { slot.name }
    }

    /// The values that outlive a deleted object, in the order of the tombstones. Those that may lie in files of their own are none
    /// of them, whatever the model says, as with Apple's framework.
    package static func preserved(_ entity: EntityRuntime) -> [Preserved] {
        numbered(entity).flatMap { property -> [Preserved] in
            guard property.schema.attribute?.preservesValueInHistoryOnDeletion == true,
                !property.schema.isTransient
            else { return [] }
            let slots =
                switch property.kind {
                case .attribute(let slot): [slot]
                case .composite(let slots): slots
                default: [Slot]()
                }
            return slots.filter { $0.attribute?.allowsExternalBinaryDataStorage != true }
                .map { Preserved(property: property, slot: $0) }
        }
    }

    /// The values of a row that outlive it.
    package static func tombstones(_ row: RowPointer, preserved: [Preserved]) -> [SQLBinding] {
        preserved.map { SQLBinding(row.value($0.slot)) ?? .null }
    }

    /// Returns the number of values that the entity with the most of them preserves.
    package static func tombstoneCount(_ model: ModelRuntime) -> Int {
        model.runtimes.map { preserved($0).count }.max() ?? 0
    }

    /// The bitmap of an update of the properties with these names.
    package static func bitmap(_ names: Set<String>, numbered: [PropertyRuntime]) -> Data {
        let positions = numbered.indices.filter { names.contains(numbered[$0].name) }
        return HistoryBitmap.data(positions, count: numbered.count)
    }

    /// The bitmap of an update of a row and of to-many relationships, by their properties' numbers, in which triggers wrote the derived attributes of these names.
    package static func bitmap(
        _ change: StoreChanges.Row, relationships: [Int], numbered: [PropertyRuntime],
        derived: Set<String>
    ) -> Data {
        let changed = Set(change.changedSlots.map { change.entity.slotProperties[$0] }).union(relationships)
        let positions = numbered.indices.filter {
            changed.contains(numbered[$0].number) || derived.contains(numbered[$0].name)
        }
        return HistoryBitmap.data(positions, count: numbered.count)
    }
}
