// Values that a column shouldn't hold: of another type than the attribute's, or none where one is required.

import CoreDataSchema

extension StoreCheck {
    /// The checks of one property's values.
    ///
    /// - Parameters:
    ///   - label: `Entity.property`.
    ///   - place: the table of the entity that declares the property.
    static func valueChecks(
        _ label: String, slot: PropertyColumn, property: PropertySchema, in place: EntityTable
    ) -> [StoreCheck] {
        if property.isTransient { return [] }
        switch slot {
        case .attribute(let column, let type):
            let isRequired = !property.isOptional && property.attribute?.derivation == nil
            let isExternal = property.attribute?.allowsExternalBinaryDataStorage == true
            return [foreign(label, column: column, type: type, place: place)].compactMap(\.self)
                + (isExternal ? [unmarked(label, column: column, place: place)] : [])
                + (isRequired ? [missing(label, column: column, place: place)] : [])
        case .composite(let elements):
            return (property.attribute?.elements ?? []).flatMap { element in
                elements[element.name].map { slot in
                    valueChecks("\(label).\(element.name)", slot: slot, property: element, in: place).filter {
                        // The elements of a composite attribute without a value have none.
                        !property.isOptional || !$0.name.hasSuffix(missingName)
                    }
                } ?? []
            }
        case .toOne(let column, _, _, _):
            return property.isOptional ? [] : [missing(label, column: column, place: place)]
        case .toMany, .join: return []
        }
    }

    private static let missingName = ": missing values"

    private static func missing(_ label: String, column: String, place: EntityTable) -> StoreCheck {
        StoreCheck(
            name: label + missingName,
            sql: """
                SELECT Z_PK FROM \(sqlName(place.table)) WHERE \(sqlName(column)) IS NULL AND \(rows(of: place))
                """,
            explanation: "\(place.table).\(column) is NULL where a value is required")
    }

    /// Values that may be files begin with a byte that says whether they are.
    private static func unmarked(_ label: String, column: String, place: EntityTable) -> StoreCheck {
        StoreCheck(
            name: label + ": marks of external values",
            sql: """
                SELECT Z_PK, \(sqlName(column)) FROM \(sqlName(place.table)) WHERE \(rows(of: place)) \
                AND typeof(\(sqlName(column))) = 'blob' AND hex(substr(\(sqlName(column)), 1, 1)) NOT IN ('01', '02')
                """,
            explanation: "\(place.table).\(column) says neither that it holds the value nor that a file does")
    }

    private static func foreign(
        _ label: String, column: String, type: AttributeType, place: EntityTable
    ) -> StoreCheck? {
        type.storageClasses.map { types in
            foreign(
                label, column: column, of: place.table, types: types, where: rows(of: place),
                explanation: "\(place.table).\(column) holds values that aren't of type \(type)")
        }
    }

    /// The check of a column whose values, if there are any, are of types as SQLite's `typeof` names them.
    static func foreign(
        _ label: String, column: String, of table: String, types: [String], where condition: String? = nil,
        explanation: String
    ) -> StoreCheck {
        let list = (["null"] + types).map { "'\($0)'" }.joined(separator: ", ")
        let name = sqlName(column)
        return StoreCheck(
            name: label + ": values of another type",
            sql:
                "SELECT Z_PK, typeof(\(name)), \(name) FROM \(sqlName(table)) WHERE typeof(\(name)) NOT IN (\(list))"
                + (condition.map { " AND " + $0 } ?? ""),
            explanation: explanation)
    }

    /// Other entities of the table may have another use for the column.
    private static func rows(of place: EntityTable) -> String {
        "Z_ENT IN (\(place.subtreeNumbers.map(String.init).joined(separator: ", ")))"
    }
}

extension AttributeType {
    /// The results of SQLite's `typeof` for values in a column of the type; `nil` if anything may be there.
    fileprivate var storageClasses: [String]? {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: ["integer"]
        case .double, .float, .decimal, .date: ["integer", "real"]
        case .string, .uri: ["text"]
        case .binaryData, .uuid, .transformable: ["blob"]
        default: nil
        }
    }
}
