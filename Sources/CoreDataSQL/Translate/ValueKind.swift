// The kind of an SQL expression's values, and the form of a constant to be compared with them.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// The kinds of value that a column or an expression can have.
package enum ValueKind: Sendable, Hashable {
    case integer
    case boolean
    case real
    case decimal
    case text
    case date
    case blob
    /// A blob with a leading byte that tells inline bytes from a reference to a file.
    case externalBlob
    case uuid
    case url
    case transformable
    /// A composite attribute as a whole, of which only is known whether it is nil.
    case composite
    /// A row's entity, as the store numbers it.
    case entity
    /// Known only when the statement runs.
    case any

    var isNumeric: Bool {
        switch self {
        case .integer, .boolean, .real, .decimal: true
        default: false
        }
    }

    /// Returns whether values of both kinds can ever be equal.
    func isComparable(with other: ValueKind) -> Bool {
        self == other || self == .any || other == .any || (isNumeric && other.isNumeric)
    }

    /// Indicates whether the database's order of the stored values is the order of the values.
    var isOrdered: Bool {
        switch self {
        case .integer, .boolean, .real, .decimal, .text, .date, .any: true
        case .blob, .externalBlob, .uuid, .url, .transformable, .composite, .entity: false
        }
    }

    /// Indicates that two whole numbers divide as reals: a column of these kinds may
    /// hold an integer by affinity.
    var dividesAsReal: Bool { self == .decimal || self == .real || self == .date || self == .any }

    init?(_ type: AttributeType, isExternal: Bool = false) {
        switch type {
        case .integer16, .integer32, .integer64: self = .integer
        case .boolean: self = .boolean
        case .double, .float: self = .real
        case .decimal: self = .decimal
        case .string: self = .text
        case .date: self = .date
        case .binaryData: self = isExternal ? .externalBlob : .blob
        case .uuid: self = .uuid
        case .uri: self = .url
        case .transformable: self = .transformable
        case .undefined, .objectID, .composite: return nil
        }
    }

    /// The kind of a constant that stands by itself; nil for one that is no single value.
    init?(of value: Value) {
        switch value {
        case .bool: self = .boolean
        case .integer: self = .integer
        case .double: self = .real
        case .decimal: self = .decimal
        case .string: self = .text
        case .date: self = .date
        case .data: self = .blob
        case .uuid: self = .uuid
        case .url: self = .url
        case .null, .array, .set, .dictionary, .object: return nil
        }
    }
}
