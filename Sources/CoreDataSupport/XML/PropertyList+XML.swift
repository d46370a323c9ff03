// Property lists in their XML form, and a reader for whichever form a file has.

package import Foundation

extension PropertyList {
    /// Reads a binary or XML property list. Throws `ArchiveFailure`.
    package static func read(_ data: Data) throws -> PropertyList {
        if BinaryPropertyListReader.accepts(data) { return try BinaryPropertyListReader.read(data) }
        let root = try XMLTreeReader.read(data)
        guard root.name == "plist", root.children.count == 1 else {
            throw ArchiveFailure("not a property list")
        }
        return try PropertyList(root.children[0])
    }

    /// The value that an element of an XML property list stands for.
    package init(_ element: XMLTree) throws {
        let trimmed = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch element.name {
        case "true": self = .bool(true)
        case "false": self = .bool(false)
        case "string": self = .string(element.text)
        case "array": self = try .array(element.children.map { try PropertyList($0) })
        case "dict": self = try .dictionary(Self.entries(element.children))
        case "integer":
            guard let number = Int64(trimmed) else {
                throw ArchiveFailure("a property list has a broken number")
            }
            self = .integer(number)
        case "real":
            guard let number = Double(trimmed) else {
                throw ArchiveFailure("a property list has a broken number")
            }
            self = .real(number)
        case "data":
            guard let data = Data(base64Encoded: element.text, options: .ignoreUnknownCharacters) else {
                throw ArchiveFailure("a property list has broken data")
            }
            self = .data(data)
        case "date":
            guard let date = try? Date(trimmed, strategy: .iso8601) else {
                throw ArchiveFailure("a property list has a broken date")
            }
            self = .date(date)
        default: throw ArchiveFailure("a property list has the unknown element <\(element.name)>")
        }
    }

    private static func entries(_ children: [XMLTree]) throws -> [Entry] {
        guard children.count % 2 == 0 else {
            throw ArchiveFailure("a property list has a key without a value")
        }
        return try stride(from: 0, to: children.count, by: 2).map {
            guard children[$0].name == "key" else {
                throw ArchiveFailure("a property list has a value without a key")
            }
            return try Entry(children[$0].text, value: PropertyList(children[$0 + 1]))
        }
    }
}
