// Foundation's classes in an archive, as values.

package import Foundation

extension ArchiveNode {
    /// The depth to which values may contain values.
    package static let depthLimit = 64

    /// The node as a value; an object of a class that is not Foundation's becomes an `ArchivedObject`.
    package func value() throws -> Value {
        var budget = 200_000
        return try value(depth: 0, budget: &budget)
    }

    private func value(depth: Int, budget: inout Int) throws -> Value {
        budget -= 1
        guard depth < Self.depthLimit, budget > 0 else {
            throw ArchiveFailure("an archived value is nested too deep, or in a circle")
        }
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .real(let value): return .double(value)
        case .date(let value): return .date(value)
        case .data(let value): return .data(value)
        case .string(let value): return .string(value)
        case .list: throw ArchiveFailure("an archived value has a form that no archiver writes")
        case .object(let object): return try Self.value(of: object, depth: depth, budget: &budget)
        }
    }

    private static func value(of object: ArchiveObject, depth: Int, budget: inout Int) throws -> Value {
        let names = object.classNames
        if names.contains("NSDecimalNumber") { return try .decimal(object.decimal()) }
        if names.contains("NSString") { return try .string(object.text()) }
        if names.contains("NSDate"), case .real(let seconds) = try object.node("NS.time") {
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
        if names.contains("NSData"), case .data(let data) = try object.node("NS.data") { return .data(data) }
        if names.contains("NSUUID") { return try .uuid(object.uuid()) }
        if names.contains("NSURL") { return try .url(object.url()) }
        if names.first == "NSNull" { return .null }
        if names.contains("NSNumber") {
            for key in ["NS.boolval", "NS.intval", "NS.dblval"] where object.keys.contains(key) {
                return try object.node(key).value(depth: depth + 1, budget: &budget)
            }
        }
        return try collection(of: object, names, depth: depth, budget: &budget)
    }

    private static func collection(
        of object: ArchiveObject, _ names: [String], depth: Int, budget: inout Int
    ) throws -> Value {
        func elements(_ nodes: [ArchiveNode], _ budget: inout Int) throws -> [Value] {
            var values: [Value] = []
            for node in nodes { try values.append(node.value(depth: depth + 1, budget: &budget)) }
            return values
        }
        if names.contains("NSDictionary") {
            var values: [Value: Value] = [:]
            for (key, node) in try object.pairs() {
                let key = try key.value(depth: depth + 1, budget: &budget)
                values[key] = try node.value(depth: depth + 1, budget: &budget)
            }
            return .dictionary(values)
        }
        if names.contains("NSArray") || names.contains("NSOrderedSet") {
            return try .array(elements(object.elements(), &budget))
        }
        if names.contains("NSSet") { return try .set(Set(elements(object.elements(), &budget))) }
        var fields: [ArchivedObject.Field] = []
        for key in object.keys {
            let node = try object.node(key)
            if case .list = node {
                let list = try elements(object.nodes(key), &budget)
                fields.append(ArchivedObject.Field(key: key, value: .array(list), isInline: true))
            } else {
                let value = try node.value(depth: depth + 1, budget: &budget)
                fields.append(ArchivedObject.Field(key: key, value: value))
            }
        }
        return .object(ObjectReference(ArchivedObject(classNames: names, fields: fields)))
    }
}

extension ArchiveObject {
    /// The elements of an archived array, set or ordered set.
    package func elements() throws -> [ArchiveNode] {
        if keys.contains("NS.objects") { return try nodes("NS.objects") }
        return try numbered("NS.object.")
    }

    /// Elements as archivers of other implementations number them: `NS.object.0`, `NS.object.1`, ….
    private func numbered(_ prefix: String) throws -> [ArchiveNode] {
        var result: [ArchiveNode] = []
        let present = Set(keys)
        while present.contains(prefix + String(result.count)) {
            try result.append(node(prefix + String(result.count)))
        }
        return result
    }

    /// Keys and values of an archived dictionary, also of the known-keys form that caches of models hold.
    package func pairs() throws -> [(ArchiveNode, ArchiveNode)] {
        if isKind(of: "NSKnownKeysDictionary"), let mapping = try node("searchMapping").object {
            let keys = try mapping.node("keys").object?.elements() ?? []
            let values = try node("values").object?.elements() ?? []
            let empty = try node("emptyToken").text
            return zip(keys, values).filter { empty == nil || $1.text != empty }
        }
        if keys.contains("NS.keys") { return try Array(zip(nodes("NS.keys"), nodes("NS.objects"))) }
        return try Array(zip(numbered("NS.key."), numbered("NS.object.")))
    }

    fileprivate func text() throws -> String {
        switch try keys.contains("NS.string") ? node("NS.string") : node("NS.bytes") {
        case .string(let text): return text
        case .data(let data):
            if let text = String(data: data, encoding: .utf8) { return text }
        default: break
        }
        throw ArchiveFailure("an archived string has no text")
    }

    fileprivate func uuid() throws -> UUID {
        guard case .data(let data) = try node("NS.uuidbytes"), data.count == 16 else {
            throw ArchiveFailure("an archived UUID has not 16 bytes")
        }
        let b = [UInt8](data)
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
                b[15]
            ))
    }

    fileprivate func url() throws -> URL {
        var texts: [String] = []
        var next: ArchiveObject? = self
        while let current = next, texts.count < ArchiveNode.depthLimit {
            if let text = try current.node("NS.relative").text { texts.append(text) }
            next = try current.node("NS.base").object
        }
        var url: URL?
        for text in texts.reversed() { url = URL(string: text, relativeTo: url) }
        guard let url else { throw ArchiveFailure("an archived URL is not valid") }
        return url
    }

    fileprivate func decimal() throws -> Decimal {
        guard case .data(let data) = try node("NS.mantissa"), data.count <= 16, data.count % 2 == 0,
            case .integer(let exponent) = try node("NS.exponent"), (-128...127).contains(exponent),
            case .integer(let length) = try node("NS.length"), (0...8).contains(length)
        else { throw ArchiveFailure("an archived decimal number is broken") }
        var negative = false
        if case .bool(true) = try node("NS.negative") { negative = true }
        if length == 0 { return negative ? .nan : 0 }
        var isBigEndian = false
        if case .integer(2) = try node("NS.mantissa.bo") { isBigEndian = true }
        let b = [UInt8](data)
        var mantissa = Decimal(0)
        for word in stride(from: min(Int(length), b.count / 2) - 1, through: 0, by: -1) {
            let (first, second) = (UInt16(b[2 * word]), UInt16(b[2 * word + 1]))
            let unit = isBigEndian ? first << 8 | second : second << 8 | first
            mantissa = mantissa * 65536 + Decimal(Int(unit))
        }
        return Decimal(sign: negative ? .minus : .plus, exponent: Int(exponent), significand: mantissa)
    }
}

extension ArchiveNode {
    /// The text of a string, archived plainly or as an object.
    package var text: String? {
        switch self {
        case .string(let text): text
        case .object(let object) where object.isKind(of: "NSString"): try? object.text()
        default: nil
        }
    }
}

extension ArchiveNode {
    /// The bytes of data, archived plainly or as an object.
    package var data: Data? {
        switch self {
        case .data(let data): data
        case .object(let object) where object.isKind(of: "NSData"):
            if case .data(let data)? = try? object.node("NS.data") { data } else { nil }
        default: nil
        }
    }
}
