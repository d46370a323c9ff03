// Derived attributes that are made of another attribute of the same row: what they will be is known before a store
// computes them.

import CoreDataPredicate
package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport

/// The making of a derived attribute from another one of its row: `canonical:(name)`,
/// or the attribute itself.
package struct OwnDerivation {
    package let source: Slot
    private let function: SQLFunction.Name?

    /// `nil` for what isn't derived, or is from other rows, from the time, or from what is derived itself.
    package init?(_ slot: Slot, of entity: EntityRuntime) {
        guard let schema = slot.attribute?.derivation,
            case .value(let path, let function)? = Derivation(schema.expression),
            let source = entity.layout.slot(named: path.joined(separator: ".")),
            source.attribute?.derivation == nil
        else { return nil }
        self.source = source
        self.function = function
    }

    package func value(in row: RowPointer) -> Value {
        row.isNull(source.index) ? .null : Self.value(row.value(source), function: function)
    }

    /// Returns the result of a derivation's function for a value.
    package static func value(_ value: Value, function: SQLFunction.Name?) -> Value {
        guard let function else { return value }
        guard case .string(let text) = value else { return .null }
        switch function {
        case .canonical: return .string(StringComparison.canonical(text))
        case .uppercase: return .string(text.uppercased())
        default: return .string(text.lowercased())
        }
    }
}

extension EntityRuntime {
    /// The value of a slot once the row is saved, as far as the row itself tells.
    package func savedValue(_ slot: Slot, in row: RowPointer) -> Value {
        if let derivation = OwnDerivation(slot, of: self) { return derivation.value(in: row) }
        return row.isNull(slot.index) ? .null : row.value(slot)
    }

    /// The slot that a change of decides about a slot's value: its own, or that which it is derived from.
    package func decidingSlot(_ slot: Slot) -> Slot { OwnDerivation(slot, of: self)?.source ?? slot }
}
