// Archives of Foundation's plain objects: strings, numbers, dates, and collections of them. Written and read
// without Foundation's archiver, which stops the process on decimal numbers and on bytes that it doesn't expect.

package import Foundation

/// Archives whose objects are all of classes that Foundation has everywhere.
package enum PlainArchive {
    /// Names of the classes that `object(from:)` makes.
    package static let classNames: Set<String> = [
        "NSString", "NSMutableString", "NSNumber", "NSDecimalNumber", "NSDecimalNumberPlaceholder", "NSDate",
        "NSData", "NSMutableData", "NSURL", "NSUUID", "NSNull", "NSArray", "NSMutableArray", "NSSet",
        "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSDictionary", "NSMutableDictionary",
    ]

    /// The archive of an object; `nil` when a part of it is not plain. Throws `ArchiveFailure` when it is nested
    /// too deep.
    package static func data(for object: Any) throws -> Data? {
        let writer = KeyedArchiveWriter()
        return try writer.plain(object, depth: 0).map(writer.data(root:))
    }

    /// Makes an object of a class that isn't plain.
    package typealias Foreign = (ArchiveObject) throws -> Any

    /// The object at the top of an archive of plain classes. Throws `ArchiveFailure` for anything else.
    package static func object(from archive: KeyedArchive) throws -> Any {
        var budget = 1_000_000
        return try object(archive.node(), budget: &budget) { object in
            throw ArchiveFailure("it holds an object of class \(object.className)")
        }
    }

    /// The object that a node stands for. `budget` is how many more nodes may be visited.
    package static func object(
        _ node: ArchiveNode, budget: inout Int, foreign: Foreign
    ) throws -> Any {
        try node.plain(depth: 0, budget: &budget, foreign)
    }
}

extension KeyedArchiveWriter {
    fileprivate func plain(_ object: Any, depth: Int) throws -> PropertyList? {
        guard depth < ArchiveNode.depthLimit else { throw ArchiveFailure("a value is nested too deep") }
        func all(_ elements: [Any]) throws -> [PropertyList]? {
            var list: [PropertyList] = []
            for element in elements {
                guard let place = try plain(element, depth: depth + 1) else { return nil }
                list.append(place)
            }
            return list
        }
        switch object {
        case is NSNull: return self.object(["NSNull", "NSObject"], fields: [])
        case let value as NSMutableString:
            return self.object(
                ["NSMutableString", "NSString", "NSObject"],
                fields: [.init("NS.string", value: .string(value as String))])
        case let value as NSOrderedSet:
            return try all(value.array).map { orderedSet($0, isMutable: value is NSMutableOrderedSet) }
        case let value as NSArray:
            return try all(value.map { $0 }).map { array($0, isMutable: value is NSMutableArray) }
        case let value as NSSet:
            let names = ["NSSet", "NSObject"]
            return try all(Self.ordered(value.allObjects)).map { elements in
                self.object(
                    value is NSMutableSet ? ["NSMutableSet"] + names : names,
                    fields: [.init("NS.objects", value: .array(elements))])
            }
        case let value as NSDictionary: return try pairs(value, all: all)
        case let value as [Any]: return try all(value).map { array($0) }
        case let value as Set<AnyHashable>: return try all(Self.ordered(value.map(\.base))).map(set)
        case let value as [AnyHashable: Any]: return try pairs(value as NSDictionary, all: all)
        default:
            let value = Value(object)
            if case .object = value { return nil }
            return try self.value(value)
        }
    }

    private func orderedSet(_ elements: [PropertyList], isMutable: Bool) -> PropertyList {
        let names = ["NSOrderedSet", "NSObject"]
        return object(
            isMutable ? ["NSMutableOrderedSet"] + names : names,
            fields: elements.enumerated().map { .init("NS.object.\($0)", value: $1) })
    }

    private func pairs(
        _ dictionary: NSDictionary, all: ([Any]) throws -> [PropertyList]?
    ) throws -> PropertyList? {
        let names = Self.ordered(dictionary.allKeys)
        guard let keys = try all(names), let values = try all(names.compactMap { dictionary[$0] }) else {
            return nil
        }
        return self.dictionary(Array(zip(keys, values)), isMutable: dictionary is NSMutableDictionary)
    }

    /// Members without an order of their own in one that is the same every time: equal objects get equal bytes,
    /// by which predicates find them.
    private static func ordered(_ members: [Any]) -> [Any] {
        guard members.count > 1 else { return members }
        return members.map { ("\(Value($0))", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension ArchiveNode {
    fileprivate func plain(
        depth: Int, budget: inout Int, _ foreign: PlainArchive.Foreign
    ) throws -> Any {
        budget -= 1
        guard depth < Self.depthLimit, budget > 0 else {
            throw ArchiveFailure("the archive is nested too deep, or in a circle")
        }
        guard let object else {
            guard let value = try value().any else { return NSNull() }
            return value
        }
        guard PlainArchive.classNames.contains(object.className) else { return try foreign(object) }
        if let collection = try object.plainCollection(depth: depth, budget: &budget, foreign) {
            return collection
        }
        guard let value = try value().any else { return NSNull() }
        if object.className == "NSMutableString", let text = value as? String {
            return NSMutableString(string: text)
        }
        return value
    }
}

extension ArchiveObject {
    fileprivate func plainCollection(
        depth: Int, budget: inout Int, _ foreign: PlainArchive.Foreign
    ) throws -> Any? {
        func all(_ nodes: [ArchiveNode], _ budget: inout Int) throws -> [Any] {
            var values: [Any] = []
            for node in nodes { try values.append(node.plain(depth: depth + 1, budget: &budget, foreign)) }
            return values
        }
        switch className {
        case "NSArray": return try all(elements(), &budget) as NSArray
        case "NSMutableArray": return NSMutableArray(array: try all(elements(), &budget))
        case "NSSet": return NSSet(array: try all(elements(), &budget))
        case "NSMutableSet": return NSMutableSet(array: try all(elements(), &budget))
        case "NSOrderedSet": return NSOrderedSet(array: try all(elements(), &budget))
        case "NSMutableOrderedSet": return NSMutableOrderedSet(array: try all(elements(), &budget))
        case "NSDictionary", "NSMutableDictionary":
            var result: [AnyHashable: Any] = [:]
            for (key, node) in try pairs() {
                guard let key = try key.plain(depth: depth + 1, budget: &budget, foreign) as? AnyHashable
                else {
                    throw ArchiveFailure("a dictionary's key can't be one")
                }
                result[key] = try node.plain(depth: depth + 1, budget: &budget, foreign)
            }
            return className == "NSDictionary"
                ? NSDictionary(dictionary: result) : NSMutableDictionary(dictionary: result)
        default: return nil
        }
    }
}
