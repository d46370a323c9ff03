// Values as Foundation's classes archive themselves.

package import Foundation

extension KeyedArchiveWriter {
    /// Adds a value. An object that is neither an `ArchivedObject` nor `NSCoding` can't be archived and throws
    /// `ArchiveFailure`.
    package func value(_ value: Value, depth: Int = 0) throws -> PropertyList {
        guard depth < ArchiveNode.depthLimit else { throw ArchiveFailure("a value is nested too deep") }
        switch value {
        case .null: return Self.null
        case .bool(let value): return leaf(.bool(value))
        case .integer(let value): return leaf(.integer(value))
        case .double(let value): return leaf(.real(value))
        case .string(let value): return leaf(.string(value))
        case .data(let value): return leaf(.data(value))
        case .decimal(let value): return decimal(value)
        case .date(let value):
            return object(
                ["NSDate", "NSObject"],
                fields: [.init("NS.time", value: .real(value.timeIntervalSinceReferenceDate))])
        case .uuid(let value):
            return object(["NSUUID", "NSObject"], fields: [.init("NS.uuidbytes", value: .data(value.bytes))])
        case .url(let value):
            return object(
                ["NSURL", "NSObject"],
                fields: [
                    .init("NS.base", value: Self.null),
                    .init("NS.relative", value: string(value.absoluteString)),
                ])
        case .array(let elements): return try array(elements.map { try self.value($0, depth: depth + 1) })
        case .set(let elements):
            return try set(elements.map { try self.value($0, depth: depth + 1) })
        case .dictionary(let pairs):
            return try dictionary(
                Self.sorted(pairs).map {
                    (try self.value($0, depth: depth + 1), try self.value($1, depth: depth + 1))
                })
        case .object(let reference): return try object(reference, depth: depth)
        }
    }

    /// Pairs in an order that is the same every time, so that equal models give equal files.
    private static func sorted(_ pairs: [Value: Value]) -> [(Value, Value)] {
        pairs.map { ($0, $1) }.sorted { "\($0.0)" < "\($1.0)" }
    }

    private func object(_ reference: ObjectReference, depth: Int) throws -> PropertyList {
        guard let archived = reference.object as? ArchivedObject else {
            return try value(Self.archived(reference.object), depth: depth)
        }
        return try object(
            archived.classNames,
            fields: archived.fields.map { field in
                if field.isInline, case .array(let elements) = field.value {
                    return try .init(
                        field.key, value: .array(elements.map { try value($0, depth: depth + 1) }))
                }
                return try .init(field.key, value: value(field.value, depth: depth + 1))
            })
    }

    /// Returns whether Foundation has a name for the object's class. It ends the process when it is asked for
    /// that of a class inside another type.
    package static func isNameable(_ object: AnyObject) -> Bool {
        String(reflecting: type(of: object)).count { $0 == "." } <= 1
    }

    /// An object of a client's class as it archives itself.
    private static func archived(_ object: AnyObject) throws -> Value {
        guard object is any NSCoding else {
            throw ArchiveFailure(
                "an object of class \(type(of: object)) can't be written to an archive")
        }
        guard isNameable(object) else {
            throw ArchiveFailure(
                "Foundation off Apple's systems can't archive an object of \(String(reflecting: type(of: object))), a class "
                    + "inside another type")
        }
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
        let value = try KeyedArchive(data).node().value()
        if case .object(let reference) = value, !(reference.object is ArchivedObject) {
            throw ArchiveFailure("an object of class \(type(of: object)) archives itself as another object")
        }
        return value
    }

    private func decimal(_ value: Decimal) -> PropertyList {
        var words: [UInt16] = []
        var rest = value.isNaN ? 0 : value.significand.magnitude
        let base = Decimal(65536)
        while rest > 0 {
            var quotient = rest / base
            var whole = Decimal()
            NSDecimalRound(&whole, &quotient, 0, .down)
            words.append(UInt16(truncatingIfNeeded: NSDecimalNumber(decimal: rest - whole * base).intValue))
            rest = whole
        }
        var mantissa = Data()
        for word in words + Array(repeating: 0, count: max(0, 8 - words.count)) {
            mantissa.append(UInt8(word & 0xFF))
            mantissa.append(UInt8(word >> 8))
        }
        return object(
            ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
            fields: [
                .init("NS.exponent", value: .integer(words.isEmpty ? 0 : Int64(value.exponent))),
                .init("NS.length", value: .integer(Int64(words.count))),
                .init("NS.negative", value: .bool(value.isNaN || value < 0)),
                .init("NS.compact", value: .bool(true)),
                .init("NS.mantissa.bo", value: .integer(1)),
                .init("NS.mantissa", value: .data(mantissa)),
            ])
    }
}

extension UUID {
    /// The 16 bytes.
    package var bytes: Data {
        withUnsafeBytes(of: uuid) { Data($0) }
    }
}
