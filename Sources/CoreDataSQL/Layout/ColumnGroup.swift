// The groups in which a table's columns stand, by what they hold.

import CoreDataSchema

/// In the order of the groups in a table.
enum ColumnGroup: CaseIterable {
    case integer, floating, decimal, string, uri, uuid, transformable, binary

    /// `nil` for types that no column can hold.
    init?(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: self = .integer
        case .double, .float, .date: self = .floating
        case .decimal: self = .decimal
        case .string: self = .string
        case .uri: self = .uri
        case .uuid: self = .uuid
        case .transformable: self = .transformable
        case .binaryData: self = .binary
        case .undefined, .objectID, .composite: return nil
        }
    }
}
