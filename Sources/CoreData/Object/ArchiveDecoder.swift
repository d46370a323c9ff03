// Makes objects of an archive without Foundation's unarchiver, which stops the process on bytes that it doesn't
// expect. Plain objects are made by our own reader, others by their `init(coder:)` with this coder.

import CoreDataSupport
import Foundation

/// Decodes one archive. Any fault makes `root()` throw.
final class ArchiveDecoder: NSCoder {
    private let archive: KeyedArchive
    private let allowed: SecureArchive.Allowed
    /// The objects whose `init(coder:)` runs, the innermost last.
    private var current: [ArchiveObject] = []
    private var made: [Int: Any] = [:]
    private var failure: (any Error)?
    private var budget = 1_000_000

    init(_ archive: KeyedArchive, allowed: SecureArchive.Allowed) {
        self.archive = archive
        self.allowed = allowed
    }

    /// The object at the top. Throws `ArchiveFailure`.
    func root() throws -> Any {
        try checkClasses()
        let root = try object(archive.node())
        if let failure { throw failure }
        return root
    }

    /// Every class that the archive names must be there and allowed, also where no object uses it.
    private func checkClasses() throws {
        for name in archive.classNames.subtracting(PlainArchive.classNames).sorted() {
            _ = try type(named: name)
        }
    }

    private func type(named name: String) throws -> any NSCoding.Type {
        // A class with a name in Objective-C is archived under that there: without its module.
        guard let found = NSClassFromString(name) ?? LoadedClasses.denoted(by: name, below: NSObject.self)
        else {
            throw ArchiveFailure("there is no class \(name) in this program")
        }
        guard allowed.contains(found) else {
            throw ArchiveFailure(
                "it holds an object of class \(name), which is not among the allowed classes")
        }
        if let secure = found as? any NSSecureCoding.Type, secure.supportsSecureCoding { return secure }
        guard !allowed.isSecure, let coded = found as? any NSCoding.Type else {
            throw ArchiveFailure(
                "the class \(name) does not support \(allowed.isSecure ? "secure " : "")coding")
        }
        return coded
    }

    private func object(_ node: ArchiveNode) throws -> Any {
        // The budget moves out for the call, because objects inside of the node count on it too.
        var rest = budget
        defer { budget = min(budget, rest) }
        return try PlainArchive.object(node, budget: &rest) { try self.make($0) }
    }

    private func make(_ object: ArchiveObject) throws -> Any {
        if let known = made[object.index] { return known }
        budget -= 1
        guard budget > 0, current.count < ArchiveNode.depthLimit, !current.contains(object) else {
            throw ArchiveFailure("the archive is nested too deep, or in a circle")
        }
        let type = try type(named: object.className)
        current.append(object)
        defer { current.removeLast() }
        guard let decoded = type.init(coder: self) else {
            throw failure ?? ArchiveFailure("an object of class \(object.className) can't be made of it")
        }
        if let failure { throw failure }
        made[object.index] = decoded
        return decoded
    }

    // MARK: Requests of `init(coder:)`

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { allowed.isSecure }

    override func containsValue(forKey key: String) -> Bool { current.last?.keys.contains(key) ?? false }

    override func decodeObject(forKey key: String) -> Any? {
        guard let node = node(key), !node.isNull, failure == nil else { return nil }
        do {
            return try object(node)
        } catch {
            failure = error
            return nil
        }
    }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        guard let object = decodeObject(forKey: key) else { return nil }
        guard let classes else { return object }
        let found: AnyClass = Swift.type(of: object as AnyObject)
        if SecureArchive.Allowed.classes(classes).contains(found) { return object }
        failure = ArchiveFailure("the value of \"\(key)\" is of the unexpected class \(found)")
        return nil
    }

    override func decodeObject<Decoded: NSObject & NSCoding>(of cls: Decoded.Type, forKey key: String)
        -> Decoded?
    {
        decodeObject(of: [cls], forKey: key).flatMap { ($0 as AnyObject) as? Decoded }
    }

    override func decodePropertyList(forKey key: String) -> Any? {
        decodeObject(of: SecureArchive.defaultClasses, forKey: key)
    }

    override func decodeBool(forKey key: String) -> Bool { decodeInt64(forKey: key) != 0 }
    override func decodeCInt(forKey key: String) -> Int32 { Int32(clamping: decodeInt64(forKey: key)) }
    override func decodeInt32(forKey key: String) -> Int32 { Int32(clamping: decodeInt64(forKey: key)) }
    override func decodeInteger(forKey key: String) -> Int { Int(clamping: decodeInt64(forKey: key)) }
    override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }

    override func decodeInt64(forKey key: String) -> Int64 {
        switch node(key) {
        case .bool(let flag)?: flag ? 1 : 0
        case .integer(let number)?: number
        case .real(let number)?: Int64(exactly: number.rounded(.towardZero)) ?? 0
        default: 0
        }
    }

    override func decodeDouble(forKey key: String) -> Double {
        switch node(key) {
        case .bool(let flag)?: flag ? 1 : 0
        case .integer(let number)?: Double(number)
        case .real(let number)?: number
        default: 0
        }
    }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard case .data(let data)? = node(key) else { return try body(nil) }
        return try Array(data).withUnsafeBufferPointer { try body($0) }
    }

    private func node(_ key: String) -> ArchiveNode? {
        do {
            return try current.last?.node(key)
        } catch {
            failure = failure ?? error
            return nil
        }
    }
}
