// Bytes that encoders made, as trees: keyed archives, binary property lists, JSON. SwiftData keeps lists of values and
// values of `Codable` types so, and apps keep them in binary attributes.

public import CoreData
import CoreDataSupport

extension PrintedValue {
    /// Bytes of a binary attribute that are more than this are printed as they are.
    private static let codedLimit = 1 << 20

    /// The stored bytes of a transformable attribute as the tree that they encode; else the bytes.
    public init(stored data: Data) {
        self = Self.archive(data) ?? Self.propertyList(data) ?? Self.json(data) ?? .bytes(data)
    }

    /// Bytes of a binary attribute as the tree that they encode; `nil` if they plainly encode none. Of JSON only objects and
    /// lists count, as other bytes may look like a number.
    public init?(binary data: Data) {
        guard data.count <= Self.codedLimit else { return nil }
        let tree: PrintedValue? =
            if BinaryPropertyListReader.accepts(data) {
                Self.archive(data) ?? Self.propertyList(data)
            } else if let first = data.first(where: { !Self.space.contains($0) }),
                Self.brackets.contains(first)
            {
                Self.json(data)
            } else {
                nil
            }
        guard let tree else { return nil }
        self = tree
    }

    private static let space = Array(" \t\r\n".utf8)
    private static let brackets = Array("{[".utf8)

    private static func archive(_ data: Data) -> PrintedValue? {
        (try? ArchivedValue(keyedArchive: data)).map { PrintedValue($0) }
    }

    private static func propertyList(_ data: Data) -> PrintedValue? {
        guard BinaryPropertyListReader.accepts(data), let list = try? BinaryPropertyListReader.read(data)
        else {
            return nil
        }
        return PrintedValue(list)
    }

    private static func json(_ data: Data) -> PrintedValue? {
        guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else {
            return nil
        }
        return PrintedValue(json: value)
    }

    /// `nil` for references, which only keyed archives have.
    private init?(_ list: PropertyList) {
        switch list {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .double(number)
        case .date(let date): self = .date(date)
        case .data(let data): self = .bytes(data)
        // Swift's encoder has no other way to say nil in a list.
        case .string("$null"): self = .null
        case .string(let text): self = .text(text)
        case .uid: return nil
        case .array(let elements), .set(let elements):
            let values = elements.compactMap { PrintedValue($0) }
            guard values.count == elements.count else { return nil }
            self = .list(values)
        case .dictionary(let entries):
            let fields = entries.compactMap { entry in
                PrintedValue(entry.value).map { Field(entry.key, value: $0) }
            }
            guard fields.count == entries.count else { return nil }
            self = .record(fields.sorted { $0.name < $1.name })
        }
    }

    private init(json value: Any) {
        switch value {
        case let values as [Any]: self = .list(values.map { PrintedValue(json: $0) })
        case let pairs as [String: Any]:
            let fields = pairs.map { Field($0.key, value: PrintedValue(json: $0.value)) }
            self = .record(fields.sorted { $0.name < $1.name })
        case let flag as NSNumber where String(cString: flag.objCType) == "c": self = .bool(flag.boolValue)
        default: self.init(any: value)
        }
    }
}
