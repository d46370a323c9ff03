// The classes of the rows that workloads fetch and insert, with places as the generator states them.

import CoreData

/// Ten integers.
final class Item: NSManagedObject {
    /// In the order of `FetchIntegers.names`.
    static let attributes = [
        ManagedAttribute("i0", word: 1, index: 0), ManagedAttribute("i1", word: 2, index: 1),
        ManagedAttribute("i2", word: 3, index: 2), ManagedAttribute("i3", word: 4, index: 3),
        ManagedAttribute("i4", word: 5, index: 4), ManagedAttribute("i5", word: 6, index: 5),
        ManagedAttribute("i6", word: 7, index: 6), ManagedAttribute("i7", word: 8, index: 7),
        ManagedAttribute("i8", word: 9, index: 8), ManagedAttribute("i9", word: 10, index: 9),
    ]
}

final class Item__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        for (index, name) in FetchIntegers.names.enumerated() {
            keys.attribute(name, word: 1 + index, index: index, of: Int64.self)
        }
    }
}
