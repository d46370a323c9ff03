// Keyed archives of objects, limited to allowed classes. Everything that Foundation's archiver would stop the
// process for is checked before it is asked.

import CoreDataSupport
import Foundation

/// Archives an object and reads it back.
enum SecureArchive {
    /// The classes that an archive may hold.
    enum Allowed {
        /// These classes and their subclasses; plain values may always be inside of them.
        case classes([AnyClass])
        /// Objects of any class, secure coding or not.
        case any

        var isSecure: Bool {
            if case .classes = self { return true }
            return false
        }

        func contains(_ candidate: AnyClass) -> Bool {
            guard case .classes(let classes) = self else { return true }
            var next: AnyClass? = candidate
            while let current = next {
                if classes.contains(where: { $0 == current }) { return true }
                next = _getSuperclass(current)
            }
            return false
        }
    }

    static let defaultClasses: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self,
        NSDecimalNumber.self, NSDate.self, NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]

    /// Returns true if an object is of Foundation's classes of values, or such a class's subclass.
    static func isPlain(_ object: Any) -> Bool {
        Allowed.classes(defaultClasses).contains(type(of: object as AnyObject))
    }

    /// The archive of an object. Throws `ArchiveFailure`.
    static func data(for object: Any, allowed: Allowed) throws -> Data {
        let top = object as AnyObject
        guard allowed.contains(type(of: top)) else {
            throw ArchiveFailure("an object of class \(type(of: object)) is not among the allowed classes")
        }
        if let data = try PlainArchive.data(for: object) { return data }
        try checkArchivable(object, allowed: allowed, depth: 0)
        do {
            return try ordered(
                NSKeyedArchiver.archivedData(withRootObject: top, requiringSecureCoding: allowed.isSecure))
        } catch let failure as ArchiveFailure {
            throw failure
        } catch {
            throw ArchiveFailure("\(error)")
        }
    }

    /// Foundation's archiver writes an object's fields in another order each time. In one order equal objects get
    /// equal bytes, by which predicates find them.
    private static func ordered(_ archive: Data) throws -> Data {
        var limits = BinaryPropertyListReader.Limits()
        // Our own bytes, of a size that memory held already.
        limits.objects = .max
        limits.nodes = .max
        return BinaryPropertyListWriter.data(
            for: try BinaryPropertyListReader.read(archive, limits: limits).sortedByKey)
    }

    /// The object in an archive. Throws `ArchiveFailure` with the reason.
    static func object(from data: Data, allowed: Allowed) throws -> Any {
        let archive = try KeyedArchive(data)
        let object = try ArchiveDecoder(archive, allowed: allowed).root()
        guard allowed.contains(type(of: object as AnyObject)) else {
            throw ArchiveFailure(
                "its object is of class \(type(of: object)), which is not among the allowed classes")
        }
        return object
    }

    /// Foundation's archiver stops the process on an object that it can't archive.
    private static func checkArchivable(_ object: Any, allowed: Allowed, depth: Int) throws {
        guard depth < ArchiveNode.depthLimit else { throw ArchiveFailure("the object is nested too deep") }
        switch object as AnyObject {
        case let array as NSArray:
            for element in array { try checkArchivable(element, allowed: allowed, depth: depth + 1) }
        case let set as NSSet:
            for element in set { try checkArchivable(element, allowed: allowed, depth: depth + 1) }
        case let set as NSOrderedSet:
            for element in set { try checkArchivable(element, allowed: allowed, depth: depth + 1) }
        case let dictionary as NSDictionary:
            for (key, value) in dictionary {
                try checkArchivable(key, allowed: allowed, depth: depth + 1)
                try checkArchivable(value, allowed: allowed, depth: depth + 1)
            }
        case is NSDecimalNumber:
            throw ArchiveFailure("Foundation can't archive a decimal number next to \(type(of: object))")
        case let coded as any NSSecureCoding where type(of: coded).supportsSecureCoding: break
        case is any NSCoding where !allowed.isSecure: break
        default:
            throw ArchiveFailure(
                "the class \(type(of: object)) does not support \(allowed.isSecure ? "secure " : "")coding")
        }
    }
}
