// Ten integers, as a model and as a managed object of the same entity.

import CoreData
import SwiftData

@Model
final class Numbers {
    var a: Int
    var b: Int
    var c: Int
    var d: Int
    var e: Int
    var f: Int
    var g: Int
    var h: Int
    var i: Int
    var j: Int

    init(_ start: Int) {
        a = start
        b = start + 1
        c = start + 2
        d = start + 3
        e = start + 4
        f = start + 5
        g = start + 6
        h = start + 7
        i = start + 8
        j = start + 9
    }

    var sum: Int { a &+ b &+ c &+ d &+ e &+ f &+ g &+ h &+ i &+ j }
}

/// What the generator writes for the entity.
final class ManagedNumbers: NSManagedObject {
    var a: Int64 {
        get { self[ManagedAttribute("a", word: 1, index: 0)] }
        set { self[ManagedAttribute("a", word: 1, index: 0)] = newValue }
    }
    var b: Int64 {
        get { self[ManagedAttribute("b", word: 2, index: 1)] }
        set { self[ManagedAttribute("b", word: 2, index: 1)] = newValue }
    }
    var c: Int64 {
        get { self[ManagedAttribute("c", word: 3, index: 2)] }
        set { self[ManagedAttribute("c", word: 3, index: 2)] = newValue }
    }
    var d: Int64 {
        get { self[ManagedAttribute("d", word: 4, index: 3)] }
        set { self[ManagedAttribute("d", word: 4, index: 3)] = newValue }
    }
    var e: Int64 {
        get { self[ManagedAttribute("e", word: 5, index: 4)] }
        set { self[ManagedAttribute("e", word: 5, index: 4)] = newValue }
    }
    var f: Int64 {
        get { self[ManagedAttribute("f", word: 6, index: 5)] }
        set { self[ManagedAttribute("f", word: 6, index: 5)] = newValue }
    }
    var g: Int64 {
        get { self[ManagedAttribute("g", word: 7, index: 6)] }
        set { self[ManagedAttribute("g", word: 7, index: 6)] = newValue }
    }
    var h: Int64 {
        get { self[ManagedAttribute("h", word: 8, index: 7)] }
        set { self[ManagedAttribute("h", word: 8, index: 7)] = newValue }
    }
    var i: Int64 {
        get { self[ManagedAttribute("i", word: 9, index: 8)] }
        set { self[ManagedAttribute("i", word: 9, index: 8)] = newValue }
    }
    var j: Int64 {
        get { self[ManagedAttribute("j", word: 10, index: 9)] }
        set { self[ManagedAttribute("j", word: 10, index: 9)] = newValue }
    }

    func fill(_ start: Int64) {
        a = start
        b = start + 1
        c = start + 2
        d = start + 3
        e = start + 4
        f = start + 5
        g = start + 6
        h = start + 7
        i = start + 8
        j = start + 9
    }

    var sum: Int { Int(a &+ b &+ c &+ d &+ e &+ f &+ g &+ h &+ i &+ j) }
}

/// The places that the accessors state.
final class ManagedNumbers__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        for (index, name) in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].enumerated() {
            keys.attribute(name, word: index + 1, index: index, of: Int64.self)
        }
    }
}

@Model
final class Box {
    @Relationship(inverse: \Item.box) var items: [Item] = []

    init() {}
}

@Model
final class Item {
    var number: Int
    var box: Box?

    init(_ number: Int) { self.number = number }
}
