// Sets of objects that may be held weakly.

public import Foundation

/// The way in which collections of Apple's systems hold and compare their members.
open class NSPointerFunctions: NSObject {
    /// The kinds that objects in Swift can have. Memory that isn't an object's is not among them.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Members are kept. This is so unless another memory is stated.
        public static let strongMemory: Options = []
        /// Members aren't kept, and leave when nobody else keeps them.
        public static let weakMemory = Options(rawValue: 5)
        /// Members are compared by `isEqual(_:)`; those that don't derive from `NSObject` by identity.
        public static let objectPersonality: Options = []
        /// Members are compared by identity.
        public static let objectPointerPersonality = Options(rawValue: 2 << 8)
        /// Members are copied when they come in.
        public static let copyIn = Options(rawValue: 1 << 16)
    }
}

/// The options by which a set keeps its members.
public typealias NSHashTableOptions = NSPointerFunctions.Options
/// The options by which a table keeps its keys or values.
public typealias NSMapTableOptions = NSPointerFunctions.Options

/// One member: kept or not, and how it is found.
final class HeldObject {
    private weak var weakly: AnyObject?
    private let strongly: AnyObject?
    let hash: Int
    private let isCompared: Bool

    init(_ object: AnyObject, options: NSPointerFunctions.Options) {
        let copied = options.contains(.copyIn) ? (object as? any NSCopying)?.copy() as AnyObject? : nil
        let object = copied ?? object
        weakly = object
        strongly = options.contains(.weakMemory) ? nil : object
        isCompared = !options.contains(.objectPointerPersonality)
        hash = Self.hash(of: object, options)
    }

    var object: AnyObject? { strongly ?? weakly }

    static func hash(of object: AnyObject, _ options: NSPointerFunctions.Options) -> Int {
        if !options.contains(.objectPointerPersonality), let object = object as? NSObject {
            return object.hash
        }
        return ObjectIdentifier(object).hashValue
    }

    func matches(_ other: AnyObject) -> Bool {
        guard let object else { return false }
        return object === other || isCompared && (object as? NSObject)?.isEqual(other) == true
    }
}

/// A set of objects, held as its options say: of delegates and observers, mostly, with `weakObjects()`.
///
/// Differs from Apple's in that `count` leaves out members that are gone.
open class NSHashTable<ObjectType: AnyObject>: NSObject {
    private let options: NSPointerFunctions.Options
    private var buckets: [Int: [HeldObject]] = [:]
    /// The number of members before released ones are looked for.
    private var limit = 16
    private var size = 0

    /// An empty set.
    ///
    /// - Parameters:
    ///   - options: how it keeps its members.
    ///   - initialCapacity: a hint.
    public init(options: NSPointerFunctions.Options, capacity initialCapacity: Int) {
        self.options = options
    }

    /// An empty set that keeps its members so.
    public convenience init(options: NSPointerFunctions.Options = []) {
        self.init(options: options, capacity: 0)
    }

    /// Returns a set that doesn't keep its members.
    open class func weakObjects() -> NSHashTable<ObjectType> { NSHashTable(options: .weakMemory) }

    /// Returns the member that equals an object; nil if there is none.
    open func member(_ object: ObjectType?) -> ObjectType? {
        guard let object else { return nil }
        let found = buckets[HeldObject.hash(of: object, options)]?.first { $0.matches(object) }
        return found?.object as? ObjectType
    }

    /// Returns whether an object is a member.
    open func contains(_ anObject: ObjectType?) -> Bool { member(anObject) != nil }

    /// Makes an object a member; without effect for nil, and for one that is.
    open func add(_ object: ObjectType?) {
        guard let object, member(object) == nil else { return }
        if size >= limit { removeGone() }
        let held = HeldObject(object, options: options)
        buckets[held.hash, default: []].append(held)
        size += 1
    }

    /// Removes a member; without effect for nil, and for what is none.
    open func remove(_ object: ObjectType?) {
        guard let object else { return }
        let hash = HeldObject.hash(of: object, options)
        guard let index = buckets[hash]?.firstIndex(where: { $0.matches(object) }) else { return }
        buckets[hash]?.remove(at: index)
        if buckets[hash]?.isEmpty == true { buckets[hash] = nil }
        size -= 1
    }

    /// Removes all members.
    open func removeAllObjects() {
        buckets.removeAll()
        size = 0
    }

    private func removeGone() {
        buckets = buckets.compactMapValues { bucket in
            let there = bucket.filter { $0.object != nil }
            return there.isEmpty ? nil : there
        }
        size = buckets.values.reduce(0) { $0 + $1.count }
        limit = max(16, size * 2)
    }

    /// The members that are still there, in no order.
    open var allObjects: [ObjectType] {
        buckets.values.flatMap { $0.compactMap { $0.object as? ObjectType } }
    }

    /// One of the members; nil if there is none.
    open var anyObject: ObjectType? { allObjects.first }
    /// The number of members.
    open var count: Int { allObjects.count }
    /// Returns an enumerator of the members.
    open func objectEnumerator() -> NSEnumerator { NSArray(array: allObjects).objectEnumerator() }
}

extension NSHashTable where ObjectType: Hashable {
    /// The members as a set of Swift's.
    public var setRepresentation: Set<ObjectType> { Set(allObjects) }
}
