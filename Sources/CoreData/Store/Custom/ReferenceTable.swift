// Between what a client's store calls its objects and the numbers that contexts use for rows.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// The reference objects of one store, each with a row number that holds as long as the store is open.
///
/// Unchecked because the tables are touched under the lock only, and reference objects are values that clients
/// don't change.
final class ReferenceTable: @unchecked Sendable {
    private struct Name: Hashable {
        let root: Int
        let reference: AnyHashable
    }

    private struct Number: Hashable {
        let root: Int
        let key: Int64
    }

    private let lock = NSLock()
    private var keys: [Name: Int64] = [:]
    private var texts: [Name: Int64] = [:]
    private var references: [Number: Any] = [:]
    private var last: [Int: Int64] = [:]

    /// The row number of a reference object; a new one the first time.
    func key(for reference: Any, _ entity: EntityRuntime) -> Int64 {
        let name = Name(root: entity.rootNumber, reference: Self.hashable(reference))
        return lock.withLock {
            if let known = keys[name] { return known }
            let key = (last[entity.rootNumber] ?? 0) + 1
            last[entity.rootNumber] = key
            keys[name] = key
            texts[Name(root: entity.rootNumber, reference: "\(reference)")] = key
            references[Number(root: entity.rootNumber, key: key)] = reference
            return key
        }
    }

    func reference(_ key: Int64, entity: EntityRuntime) -> Any? {
        lock.withLock { references[Number(root: entity.rootNumber, key: key)] }
    }

    /// The row number of the reference object that is written like this in URIs.
    func key(forText text: String, _ entity: EntityRuntime) -> Int64? {
        lock.withLock { texts[Name(root: entity.rootNumber, reference: text)] }
    }

    /// Equal references are equal keys, whether Swift or Foundation boxes them.
    private static func hashable(_ reference: Any) -> AnyHashable {
        let value = Value(reference)
        guard case .object(let object) = value else { return value }
        guard let hashable = object.object as? AnyHashable else {
            raise(.invalidArgument, "\(type(of: reference)) can't be a reference object: it is not hashable")
        }
        return hashable
    }
}
