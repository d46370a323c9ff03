// The class of the rows of integers that workloads fetch and insert.

import CoreData

/// Ten integers, with accessors as the generator writes them.
final class Item: NSManagedObject {
    var i0: Int64 {
        get { self[ManagedAttribute("i0", word: 1, index: 0)] }
        set { self[ManagedAttribute("i0", word: 1, index: 0)] = newValue }
    }
    var i1: Int64 {
        get { self[ManagedAttribute("i1", word: 2, index: 1)] }
        set { self[ManagedAttribute("i1", word: 2, index: 1)] = newValue }
    }
    var i2: Int64 {
        get { self[ManagedAttribute("i2", word: 3, index: 2)] }
        set { self[ManagedAttribute("i2", word: 3, index: 2)] = newValue }
    }
    var i3: Int64 {
        get { self[ManagedAttribute("i3", word: 4, index: 3)] }
        set { self[ManagedAttribute("i3", word: 4, index: 3)] = newValue }
    }
    var i4: Int64 {
        get { self[ManagedAttribute("i4", word: 5, index: 4)] }
        set { self[ManagedAttribute("i4", word: 5, index: 4)] = newValue }
    }
    var i5: Int64 {
        get { self[ManagedAttribute("i5", word: 6, index: 5)] }
        set { self[ManagedAttribute("i5", word: 6, index: 5)] = newValue }
    }
    var i6: Int64 {
        get { self[ManagedAttribute("i6", word: 7, index: 6)] }
        set { self[ManagedAttribute("i6", word: 7, index: 6)] = newValue }
    }
    var i7: Int64 {
        get { self[ManagedAttribute("i7", word: 8, index: 7)] }
        set { self[ManagedAttribute("i7", word: 8, index: 7)] = newValue }
    }
    var i8: Int64 {
        get { self[ManagedAttribute("i8", word: 9, index: 8)] }
        set { self[ManagedAttribute("i8", word: 9, index: 8)] = newValue }
    }
    var i9: Int64 {
        get { self[ManagedAttribute("i9", word: 10, index: 9)] }
        set { self[ManagedAttribute("i9", word: 10, index: 9)] = newValue }
    }

    /// Sets all values to those of a row.
    func fill(_ row: Int) {
        i0 = FetchIntegers.value(row, 0)
        i1 = FetchIntegers.value(row, 1)
        i2 = FetchIntegers.value(row, 2)
        i3 = FetchIntegers.value(row, 3)
        i4 = FetchIntegers.value(row, 4)
        i5 = FetchIntegers.value(row, 5)
        i6 = FetchIntegers.value(row, 6)
        i7 = FetchIntegers.value(row, 7)
        i8 = FetchIntegers.value(row, 8)
        i9 = FetchIntegers.value(row, 9)
    }

    var sum: Int64 { i0 &+ i1 &+ i2 &+ i3 &+ i4 &+ i5 &+ i6 &+ i7 &+ i8 &+ i9 }
}

final class Item__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        for (index, name) in FetchIntegers.names.enumerated() {
            keys.attribute(name, word: 1 + index, index: index, of: Int64.self)
        }
    }
}
