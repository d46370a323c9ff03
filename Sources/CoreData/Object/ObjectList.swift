// Objects in the order in which they were added, with fast look-up and removal; members of a relationship, and those of them that were
// added since the last save.

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

/// Members in their order beside the additions among them. All members of an object that was never saved are additions, mostly in
/// the order in which they were added: then one list serves for both.
struct MemberList {
    private var list: [NSManagedObject] = []
    private var additions = ObjectList()
    /// Indicates that `list` serves for `additions` too, which is empty.
    private var isShared: Bool

    /// No members yet.
    ///
    /// - Parameter areAdditions: whether each that comes is one that the store hasn't got.
    init(areAdditions: Bool) { isShared = areAdditions }

    /// Members all of which are additions.
    init(added objects: [NSManagedObject]) {
        list = objects
        isShared = true
    }

    var members: [NSManagedObject] {
        get { list }
        _modify {
            separate()
            yield &list
        }
    }

    var added: ObjectList {
        get { isShared ? ObjectList(list) : additions }
        _modify {
            separate()
            yield &additions
        }
    }

    var hasAdditions: Bool { isShared ? !list.isEmpty : !additions.isEmpty }

    /// Adds a member behind the others; returns `false`, and does nothing, if it must be noted as an addition apart.
    mutating func appendShared(_ object: NSManagedObject) -> Bool {
        if isShared { list.append(object) }
        return isShared
    }

    /// The store has the members.
    mutating func forgetAdditions() {
        isShared = false
        additions.removeAll()
    }

    /// Hands over every object that is held.
    mutating func moveAll(into objects: inout [NSManagedObject]) {
        objects += list
        objects += additions
        self = MemberList(areAdditions: false)
    }

    private mutating func separate() {
        if !isShared { return }
        isShared = false
        additions = ObjectList(list)
    }
}
