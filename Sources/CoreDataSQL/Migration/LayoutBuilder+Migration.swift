// The layout of a store that is migrated in place.

package import CoreDataSchema

extension LayoutBuilder {
    /// The newer version's layout: that of a new store, but a join table inside one entity keeps the relationship that
    /// names it in the file (`old`), because Apple's framework, which made it, doesn't choose by the model alone.
    package static func blueprint(
        for index: ModelIndex, migrating old: StoreBlueprint,
        by difference: SchemaDifference
    ) throws -> StoreBlueprint {
        if old.form.keepsEntityNumbers { return try keepingNumbers(index, of: old, by: difference) }
        let owners = old.joins.flatMap {
            heirs(of: $0.owner, in: old.index, new: index, difference: difference)
        }
        return try blueprint(
            for: index, numbering: EntityNumbering(index), joinOwners: Set(owners))
    }

    /// Programs with the older version, which go by its numbers, may have the store open.
    private static func keepingNumbers(
        _ index: ModelIndex, of old: StoreBlueprint, by difference: SchemaDifference
    ) throws -> StoreBlueprint {
        let known = difference.pairs.compactMap { pair in
            old.numbering.numbers[pair.source].map { (pair.destination, $0) }
        }
        let numbering = try EntityNumbering(
            index, known: Dictionary(known, uniquingKeysWith: { first, _ in first }),
            fresh: (old.numbering.numbers.values.max() ?? 0) + 1)
        return try blueprint(for: index, numbering: numbering, joinOwners: [], form: old.form)
    }

    /// The declarations that an older relationship has now.
    private static func heirs(
        of address: PropertyAddress, in old: ModelIndex, new: ModelIndex, difference: SchemaDifference
    ) -> Set<PropertyAddress> {
        let pairs = difference.pairs.filter { old.entity($0.source, isKindOf: address.entity) }
        return Set(
            pairs.compactMap { pair in
                guard let name = pair.property(source: address.property)?.destination,
                    let declaring = new.entity(pair.destination)?.declaringEntity[name]
                else { return nil }
                return PropertyAddress(declaring, property: name)
            })
    }
}
