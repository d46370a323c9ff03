// Keyed archives as a lazy tree: class names are seen, nothing is instantiated, circles are never followed.

package import Foundation
import Synchronization

/// The object table of a keyed archive.
package final class KeyedArchive: Sendable {
    let objects: [PropertyList]
    let top: PropertyList
    /// The number of times that objects may still be looked at. Objects that share parts many times over
    /// would otherwise make a small file take for ever.
    private let visits: Atomic<Int>

    /// Reads the bytes of a keyed archive. Throws `ArchiveFailure`.
    package init(_ data: Data) throws {
        let list = try BinaryPropertyListReader.read(data)
        guard case .dictionary = list, let objects = list["$objects"]?.elements, let top = list["$top"],
            list["$archiver"]?.string == "NSKeyedArchiver"
        else { throw ArchiveFailure("not a keyed archive") }
        self.objects = objects
        self.top = top
        visits = Atomic(min(100_000 + objects.count * 200, 10_000_000))
    }

    /// The object archived under a key of the top level.
    package func node(_ key: String = "root") throws -> ArchiveNode {
        guard let entry = top[key] else { throw ArchiveFailure("the archive has no object \"\(key)\"") }
        return try node(entry)
    }

    /// The object at the top level under the usual key or, where there is none, under the only one.
    package func root() throws -> ArchiveNode {
        guard top["root"] == nil, case .dictionary(let entries) = top, entries.count == 1 else {
            return try node()
        }
        return try node(entries[0].value)
    }

    /// The names of every class that the archive describes, whether or not an object uses it.
    package var classNames: Set<String> {
        Set(objects.compactMap { $0["$classes"] == nil ? nil : $0["$classname"]?.string })
    }

    fileprivate func node(_ list: PropertyList) throws -> ArchiveNode {
        guard visits.subtract(1, ordering: .relaxed).newValue > 0 else {
            throw ArchiveFailure("the archive unfolds to too many objects")
        }
        guard case .uid(let uid) = list else { return plain(list) }
        guard uid < objects.count else { throw ArchiveFailure("the archive points outside of its objects") }
        let object = objects[Int(uid)]
        if case .string("$null") = object { return .null }
        if object["$class"] != nil { return .object(ArchiveObject(archive: self, index: Int(uid))) }
        return plain(object)
    }

    private func plain(_ list: PropertyList) -> ArchiveNode {
        switch list {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .string(let value): .string(value)
        case .uid, .array, .set, .dictionary: .list(list)
        }
    }
}

/// A node of an archive.
package enum ArchiveNode {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    case object(ArchiveObject)
    /// Elements that the archiver stored in place.
    case list(PropertyList)

    package var object: ArchiveObject? {
        if case .object(let object) = self { return object }
        return nil
    }

    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

/// An object in an archive: its class as a name, its fields by key.
package struct ArchiveObject: Hashable {
    private let archive: KeyedArchive
    /// The object's place in the archive's table: equal for the same object.
    package let index: Int

    fileprivate init(archive: KeyedArchive, index: Int) {
        self.archive = archive
        self.index = index
    }

    package static func == (left: ArchiveObject, right: ArchiveObject) -> Bool {
        left.index == right.index && left.archive === right.archive
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(index)
    }

    private var fields: PropertyList { archive.objects[index] }

    /// The class and its ancestors, the class first; empty when the archive is broken here.
    package var classNames: [String] {
        guard case .uid(let uid)? = fields["$class"], uid < archive.objects.count else { return [] }
        let description = archive.objects[Int(uid)]
        let names = description["$classes"]?.elements?.compactMap(\.string) ?? []
        if names.isEmpty { return description["$classname"]?.string.map { [$0] } ?? [] }
        return names
    }

    package var className: String { classNames.first ?? "" }

    package func isKind(of name: String) -> Bool { classNames.contains(name) }

    /// The keys of the object's fields, in the file's order.
    package var keys: [String] {
        guard case .dictionary(let entries) = fields else { return [] }
        return entries.map(\.key).filter { $0 != "$class" }
    }

    /// The value of a field; null when the object has none.
    package func node(_ key: String) throws -> ArchiveNode {
        guard let field = fields[key] else { return .null }
        return try archive.node(field)
    }

    /// The elements that a collection's field lists.
    package func nodes(_ key: String) throws -> [ArchiveNode] {
        try (fields[key]?.elements ?? []).map(archive.node)
    }
}
