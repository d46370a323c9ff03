// The values of mapping models' expressions that may mean several objects.

import CoreDataSupport

extension Value {
    /// The elements of a list or a set, nothing for nil, and any other value by itself.
    var list: [Value] {
        switch self {
        case .null: []
        case .array(let elements): elements
        case .set(let elements): Array(elements)
        default: [self]
        }
    }
}
