// Text that a person typed as a value of an attribute's type.

public import CoreData

/// Reads values for attributes. Throws rather than round, cut or guess.
public enum TypedText {
    /// Returns the value that a text stands for; nil for the empty text. `""` with its quotes is the empty
    /// string.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - attribute: the attribute.
    ///   - readingFiles: whether `@FILE` stands for a file's bytes. Only what the user types may say so: who
    ///     else writes a text must not learn what is in the user's files.
    /// - Throws: `ToolFailure` for a text that is no value of the attribute's type.
    public static func value(
        _ text: String, for attribute: NSAttributeDescription, readingFiles: Bool = false
    ) throws -> Any? {
        if text.isEmpty { return nil }
        if readingFiles, attribute.attributeType == .binaryDataAttributeType, text.hasPrefix("@") {
            return try contents(ofFile: String(text.dropFirst()))
        }
        if let value = try parsed(text, attribute: attribute) { return value }
        throw failure(text, attribute: attribute)
    }

    private static func contents(ofFile path: String) throws -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ToolFailure("The file \(path) can't be read.")
        }
        return data
    }

    /// Says what was expected of a text, of which it shows no more than can be read at a glance.
    static func failure(_ text: String, attribute: NSAttributeDescription) -> ToolFailure {
        let shown = text.count > 80 ? text.prefix(80) + "…" : text[...]
        return ToolFailure(
            "\"\(shown)\" is no value for \"\(attribute.name)\", "
                + "which is \(expectation(attribute.attributeType)).")
    }

    private static func parsed(_ text: String, attribute: NSAttributeDescription) throws -> Any? {
        switch attribute.attributeType {
        case .stringAttributeType: return text == "\"\"" ? "" : text
        case .booleanAttributeType: return flag(text)
        case .integer16AttributeType: return Int16(text).map { NSNumber(value: $0) }
        case .integer32AttributeType: return Int32(text).map { NSNumber(value: $0) }
        case .integer64AttributeType: return Int64(text).map { NSNumber(value: $0) }
        case .doubleAttributeType: return (infinity(text) ?? number(text)).map { NSNumber(value: $0) }
        case .floatAttributeType:
            if let infinity = infinity(text) { return NSNumber(value: Float(infinity)) }
            return number(text).map(Float.init).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
        case .decimalAttributeType: return decimal(text)
        case .dateAttributeType: return Timestamp.date(from: text)
        case .binaryDataAttributeType: return Data(base64Encoded: text)
        case .UUIDAttributeType: return UUID(uuidString: text)
        case .URIAttributeType: return URL(string: text)
        case .transformableAttributeType: return try object(text, attribute: attribute)
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType:
            throw ToolFailure(
                "\"\(attribute.name)\" is of type \(attribute.attributeType.name), "
                    + "which can't be set as text."
            )
        }
    }

    private static func flag(_ text: String) -> NSNumber? {
        switch text.lowercased() {
        case "yes", "true", "1": NSNumber(value: true)
        case "no", "false", "0": NSNumber(value: false)
        default: nil
        }
    }

    /// A decimal has 38 digits: of more it would cut some.
    private static func decimal(_ text: String) -> NSDecimalNumber? {
        guard number(text) != nil else { return nil }
        let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        let significant = digits.drop { $0 == "0" }.reversed().drop { $0 == "0" }
        guard significant.count <= 38 else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(NSDecimalNumber.init)
    }

    /// The words in which infinite numbers are printed.
    private static func infinity(_ text: String) -> Double? {
        switch text {
        case "inf": .infinity
        case "-inf": -.infinity
        default: nil
        }
    }

    /// Digits only: no `nan`, no hexadecimal.
    static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy(isOfNumbers),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    private static func isOfNumbers(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
        default: false
        }
    }

    /// JSON for attributes that Foundation's own archives hold.
    private static func object(_ text: String, attribute: NSAttributeDescription) throws -> Any? {
        try requireKnownTransformer(attribute)
        return try json(text).map { try archivable($0, attribute: attribute) }
    }

    /// The value of a JSON text, nil if it is none.
    static func json(_ text: String) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    /// Throws if the values of a transformable attribute are made by an application's own code.
    static func requireKnownTransformer(_ attribute: NSAttributeDescription, remedy: String = "") throws {
        let known = ["", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer"]
        guard known.contains(attribute.valueTransformerName ?? "") else {
            throw ToolFailure(
                "\"\(attribute.name)\" is made by the value transformer "
                    + "\(attribute.valueTransformerName ?? ""), which only its application has.\(remedy)")
        }
    }

    /// The value, unless it shows an archived object of a class that only its application has.
    static func archivable(_ value: Any, attribute: NSAttributeDescription) throws -> Any {
        switch value {
        case let fields as [String: Any]:
            if let name = fields["$class"] {
                throw ToolFailure(
                    "\"\(attribute.name)\" holds an object of the class \(name), which JSON can't make.")
            }
            try fields.values.forEach { _ = try archivable($0, attribute: attribute) }
        case let values as [Any]: try values.forEach { _ = try archivable($0, attribute: attribute) }
        default: break
        }
        return value
    }

    private static func expectation(_ type: NSAttributeType) -> String {
        switch type {
        case .booleanAttributeType: "YES or NO"
        case .integer16AttributeType: "a whole number from \(Int16.min) to \(Int16.max)"
        case .integer32AttributeType: "a whole number from \(Int32.min) to \(Int32.max)"
        case .integer64AttributeType: "a whole number of 64 bits"
        case .decimalAttributeType: "a number of up to 38 digits"
        case .doubleAttributeType, .floatAttributeType: "a number"
        case .dateAttributeType: "a date as in 2024-05-01T10:20:30Z, `now`, or seconds since 2001"
        case .binaryDataAttributeType: "base64"
        case .UUIDAttributeType: "a UUID"
        case .URIAttributeType: "a URI"
        case .transformableAttributeType: "JSON"
        case .stringAttributeType: "a text"
        default: type.name
        }
    }
}
