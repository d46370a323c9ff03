// Passes over many objects, as a save makes them: without counting references, and without copies where one array
// serves for all.

import Foundation

/// Calls the closure with an object that somebody else holds meanwhile, and counts no reference to it.
@inline(__always)
func uncounted<Object: AnyObject, Result>(
    _ reference: Unmanaged<Object>, _ body: (Object) throws -> Result
) rethrows -> Result {
    try reference._withUnsafeGuaranteedRef(body)
}

extension Array where Element: AnyObject {
    /// An element without counting a reference to it: for as long as the array holds it.
    @inline(__always)
    func reference(_ place: Int) -> Unmanaged<Element> {
        withUnsafeBufferPointer { .passUnretained($0[place]) }
    }

    /// Calls the closure with each object. Nobody counts references meanwhile: the array keeps the objects, so it must
    /// not be one that the closure changes.
    @inline(__always)
    func each(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { objects in
            // An array of references has the layout of one of unmanaged references.
            let references = UnsafeRawBufferPointer(objects).assumingMemoryBound(to: Unmanaged<Element>.self)
            for reference in references { try reference._withUnsafeGuaranteedRef(body) }
        }
    }
}

extension [Unmanaged<NSManagedObject>] {
    /// Calls the closure with each object, which somebody else holds.
    @inline(__always)
    func each(_ body: (NSManagedObject) throws -> Void) rethrows {
        for reference in self { try reference._withUnsafeGuaranteedRef(body) }
    }
}

extension [NSManagedObject] {
    /// The objects whose state is as wanted: the same array if all are, which a save's mostly are.
    @inline(__always)
    func keeping(_ isWanted: (ObjectState) -> Bool) -> [NSManagedObject] {
        sorted { isWanted($0) ? .first : nil }.first
    }

    /// Returns whether all objects are of a class. One check for each class that occurs, not for each object.
    func areAll<Wanted: NSManagedObject>(_ wanted: Wanted.Type) -> Bool {
        var checked: NSManagedObject.Type?
        var areAll = true
        each { object in
            if type(of: object) == checked || !areAll { return }
            areAll = object is Wanted
            checked = type(of: object)
        }
        return areAll
    }

    /// Indicates that each object's key is higher than that of the one before, so that none is there twice.
    var haveRisingKeys: Bool {
        var last = Int64.min
        var isRising = true
        each { object in
            isRising = isRising && object.primaryKey > last
            last = object.primaryKey
        }
        return isRising
    }

    /// Returns whether another array holds the same objects in the same order.
    func isIdentical(to other: [NSManagedObject]) -> Bool {
        withUnsafeBufferPointer { mine in
            other.withUnsafeBufferPointer { others in
                let (mine, others) = (UnsafeRawBufferPointer(mine), UnsafeRawBufferPointer(others))
                guard let start = mine.baseAddress, let other = others.baseAddress else {
                    return mine.count == others.count
                }
                return mine.count == others.count && memcmp(start, other, mine.count) == 0
            }
        }
    }

    /// The objects that are of one of three kinds, by kind, in the order in which they are here. If all are
    /// of one kind, as those of most saves, it is this array.
    @inline(__always)
    func sorted(_ kind: (ObjectState) -> SortedObjects.Kind?) -> SortedObjects {
        var sorted = SortedObjects()
        var (start, place) = (0, 0)
        var run: SortedObjects.Kind?
        each { object in
            let next = kind(object.state)
            if next != run {
                sorted.add(self, range: start..<place, kind: run)
                (run, start) = (next, place)
            }
            place += 1
        }
        sorted.add(self, range: start..<place, kind: run)
        return sorted
    }
}

extension Set {
    /// A set of elements of which no two are equal: none is compared with those whose places it meets, which takes half of
    /// the time of `insert`. Debug builds of the client stop at two that are equal.
    init(distinct elements: [Element]) {
        var set = _SetBuilder<Element>(count: elements.count)
        for element in elements { set.add(member: element) }
        self = set.take()
    }
}

/// Objects by kind, whatever the kinds mean to who sorts.
struct SortedObjects {
    enum Kind { case first, second, third }

    private(set) var first: [NSManagedObject] = []
    private(set) var second: [NSManagedObject] = []
    private(set) var third: [NSManagedObject] = []

    /// Adds a run of neighbours.
    fileprivate mutating func add(_ objects: [NSManagedObject], range: Range<Int>, kind: Kind?) {
        if range.isEmpty { return }
        switch kind {
        case .first: Self.add(objects, range: range, to: &first)
        case .second: Self.add(objects, range: range, to: &second)
        case .third: Self.add(objects, range: range, to: &third)
        case nil: return
        }
    }

    private static func add(
        _ objects: [NSManagedObject], range: Range<Int>, to list: inout [NSManagedObject]
    ) {
        if range.count == objects.count { list = objects } else { list += objects[range] }
    }
}
