// The features for which no sample settles the formula.

import CoreDataSupport

extension VersionHash {
    /// The reason why the formula may not give an entity's hash; `nil` when it does.
    static func uncertainty(of entity: ModelIndex.Entity) -> String? {
        let schema = entity.schema
        if !isASCII(schema.name) { return "the entity's name is not plain ASCII" }
        if schema.versionHashModifier != nil, !schema.uniquenessConstraints.isEmpty {
            return "the entity has both a version hash modifier and uniqueness constraints"
        }
        for constraint in schema.uniquenessConstraints
        where constraint != constraint.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            return
                "the names in the uniqueness constraint \(constraint.joined(separator: ", ")) are not sorted"
        }
        for property in entity.properties where !property.isTransient {
            if let reason = uncertainty(of: property) { return "\(property.name): \(reason)" }
        }
        return nil
    }

    private static func uncertainty(of property: PropertySchema) -> String? {
        switch property.kind {
        case .attribute(let traits):
            if traits.derivation != nil { return "derived attributes hash in an unknown way" }
            if traits.type == .composite { return "composite attributes hash in an unknown way" }
            if traits.allowsExternalBinaryDataStorage, traits.preservesValueInHistoryOnDeletion {
                return "external storage and preservation after deletion together hash in an unknown way"
            }
        case .relationship:
            if property.versionHashModifier != nil {
                return "a version hash modifier on a relationship hashes in an unknown way"
            }
        case .fetched: return nil
        }
        return isASCII(property.name) ? nil : "the name is not plain ASCII"
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}
