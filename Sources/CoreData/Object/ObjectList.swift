// Objects in the order in which they were added, with fast look-up and removal.

import Foundation

/// A list whose members are found by identity. Small lists are searched; larger ones keep an index.
struct ObjectList: Sequence {
    /// Removed members leave a hole until a quarter of the list is left.
    private var places: [NSManagedObject?] = []
    /// The place of each member, once there are enough of them.
    private var index: [ObjectIdentifier: Int]?
    private(set) var count = 0

    /// An empty list.
    init() {}

    /// Objects of which none is there twice.
    init(_ objects: [NSManagedObject]) {
        places = objects
        count = objects.count
    }

    var isEmpty: Bool { count == 0 }

    func makeIterator() -> AnyIterator<NSManagedObject> {
        var rest = places.makeIterator()
        return AnyIterator {
            while let place = rest.next() {
                if let place { return place }
            }
            return nil
        }
    }

    mutating func contains(_ object: NSManagedObject) -> Bool { place(of: object) != nil }

    mutating func append(_ object: NSManagedObject) {
        index?[ObjectIdentifier(object)] = places.count
        places.append(object)
        count += 1
    }

    /// Returns `true` if the object was there.
    mutating func remove(_ object: NSManagedObject) -> Bool {
        guard count > 0, let place = place(of: object) else { return false }
        index?[ObjectIdentifier(object)] = nil
        places[place] = nil
        count -= 1
        while case .some(nil) = places.last { places.removeLast() }
        if places.count > 32, count < places.count / 4 { keep { _ in true } }
        return true
    }

    /// Removes what the condition doesn't hold for.
    mutating func keep(where isWanted: (NSManagedObject) -> Bool) {
        places = compactMap { isWanted($0) ? $0 : nil }
        count = places.count
        index = nil
    }

    mutating func removeAll() { self = ObjectList() }

    private mutating func place(of object: NSManagedObject) -> Int? {
        if places.count < 9 { return places.firstIndex { $0 === object } }
        if places[places.count - 1] === object { return places.count - 1 }
        if index == nil {
            var made: [ObjectIdentifier: Int] = [:]
            made.reserveCapacity(places.count)
            for (place, object) in places.enumerated() {
                if let object { made[ObjectIdentifier(object)] = place }
            }
            index = made
        }
        return index?[ObjectIdentifier(object)]
    }
}
