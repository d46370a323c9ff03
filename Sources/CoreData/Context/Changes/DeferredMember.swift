// Members of a notification's sets that become objects or IDs when someone reads them.

import CoreDataSupport
import Foundation

/// Objects or IDs of a save, by their places in a list.
protocol DeferredList: AnyObject, Sendable {
    associatedtype Member: NSObject
    func member(at place: Int) -> Member
}

/// A member of a set that stands for an object or its ID.
///
/// A set of these is made without hashing any object. A cast of the set to `Set<NSManagedObject>`, `Set<NSManagedObjectID>`,
/// a set of subclasses or `NSSet` gives the objects, because Swift bridges members one by one.
struct DeferredMember<List: DeferredList>: Hashable, Sendable {
    private let list: List
    private let place: Int

    private var member: List.Member { list.member(at: place) }

    /// The set of a list's members.
    static func set(of list: List, count: Int) -> Set<DeferredMember> {
        var set = _SetBuilder<DeferredMember>(count: count)
        for place in 0..<count { set.add(member: DeferredMember(list: list, place: place)) }
        return set.take()
    }

    static func == (one: DeferredMember, other: DeferredMember) -> Bool {
        one.place == other.place && one.list === other.list
    }

    func hash(into hasher: inout Hasher) { hasher.combine(place) }

    /// The place itself: a set of one list's members has no two with the same, and lies in memory in their order.
    func _rawHashValue(seed: Int) -> Int { place }
}

extension DeferredMember: _ObjectiveCBridgeable {
    typealias _ObjectiveCType = List.Member

    func _bridgeToObjectiveC() -> List.Member { member }

    // Nothing is cast to a member.
    static func _forceBridgeFromObjectiveC(_ source: List.Member, result: inout DeferredMember?) {
        result = nil
    }

    static func _conditionallyBridgeFromObjectiveC(
        _ source: List.Member, result: inout DeferredMember?
    ) -> Bool {
        result = nil
        return false
    }

    static func _unconditionallyBridgeFromObjectiveC(_ source: List.Member?) -> DeferredMember {
        raise(.internalInconsistency, "an object isn't made a member of a notification's set")
    }
}

extension DeferredMember: _HasCustomAnyHashableRepresentation {
    /// The object, so that a set of `AnyHashable` compares with objects.
    func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(member) }
}

extension DeferredMember: CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { String(describing: member) }
    var debugDescription: String { String(reflecting: member) }
}

/// The objects of a save.
///
/// Sound to send because a notification's observers get the objects themselves, whose queue they have to keep to.
final class DeferredObjects: DeferredList, @unchecked Sendable {
    private let objects: [NSManagedObject]

    init(_ objects: [NSManagedObject]) { self.objects = objects }

    func member(at place: Int) -> NSManagedObject { objects[place] }
}

/// The IDs of the objects of a save, as they were at its end.
final class DeferredIDs: DeferredList {
    private let keys: [Int64]
    private let origins: OriginsOfRuns

    /// - Returns: nil if an object has no permanent ID, as after a save into a parent context.
    init?(of objects: [NSManagedObject], in context: NSManagedObjectContext) {
        var origins = OriginsOfRuns()
        var areFound = true
        keys = Array(unsafeUninitializedCapacity: objects.count) { keys, count in
            objects.each { object in
                areFound = areFound && origins.find(object, in: context)
                keys.initializeElement(at: count, to: object.primaryKey)
                count += 1
            }
        }
        self.origins = origins
        if !areFound { return nil }
    }

    func member(at place: Int) -> NSManagedObjectID {
        NSManagedObjectID(origins.origin(at: place), primaryKey: keys[place])
    }
}

/// The origins of the IDs of objects that are looked at one after the other, each once for a run of neighbours.
struct OriginsOfRuns: Sendable {
    private struct Run {
        let start: Int
        let origin: IDOrigin
    }

    private var runs: [Run] = []
    private var count = 0
    /// The address of the last object's entity, and its table.
    private var entity: UInt = 0
    private var table: Int32 = 0

    /// The origin of the last object's ID.
    var last: IDOrigin? { runs.last?.origin }

    func origin(at place: Int) -> IDOrigin {
        var (low, high) = (0, runs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle].start <= place { low = middle } else { high = middle }
        }
        return runs[low].origin
    }

    /// Takes the next object; `false` if it has no permanent key, or its store is gone.
    @inline(__always)
    mutating func find(_ object: NSManagedObject, in context: NSManagedObjectContext) -> Bool {
        defer { count += 1 }
        if object.primaryKey <= 0 { return false }
        if object.entityAddress == entity && object.table == table { return true }
        return begin(object, in: context)
    }

    private mutating func begin(_ object: NSManagedObject, in context: NSManagedObjectContext) -> Bool {
        guard let store = context.store(ofTable: Int(object.table)) else { return false }
        runs.append(Run(start: count, origin: store.origin(of: object.runtime)))
        (entity, table) = (object.entityAddress, object.table)
        return true
    }
}

extension ObservedNotification {
    /// The set of objects, of which none is there twice, for the user info.
    func set(of objects: [NSManagedObject]) -> NotificationSet {
        if makesSet(of: objects.count) {
            return NotificationSet(value: Set(distinct: objects), isDeferred: false)
        }
        let members = DeferredMember.set(of: DeferredObjects(objects), count: objects.count)
        return NotificationSet(value: members, isDeferred: true)
    }

    /// The set of the objects' IDs for the user info; nil if it has to be a set of IDs.
    func deferredIDs(of objects: [NSManagedObject], in context: NSManagedObjectContext) -> Any? {
        if makesSet(of: objects.count) { return nil }
        return DeferredIDs(of: objects, in: context).map { DeferredMember.set(of: $0, count: objects.count) }
    }
}
