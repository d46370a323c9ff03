// Values of attributes as the pages show them.

import CoreData
import StoreTools

/// Turns values into JSON, none longer than a limit.
struct ShownValue {
    /// Characters that a cell of a grid gets.
    static let cell = 300
    /// Characters that an editor gets.
    static let editor = 1 << 20

    let limit: Int

    /// The value of an attribute of an object.
    func value(_ attribute: NSAttributeDescription, of object: NSManagedObject) -> StudioValue {
        if attribute.attributeType == .transformableAttributeType {
            return transformable(attribute, of: object)
        }
        return value(object.value(forKey: attribute.name), attribute: attribute)
    }

    /// A value of an attribute, or of an element of a composite one.
    func value(_ value: Any?, attribute: NSAttributeDescription) -> StudioValue {
        if let composite = attribute as? NSCompositeAttributeDescription {
            return self.composite(value, composite: composite)
        }
        if attribute.rules.kind == .color, let color = StudioColor(value) { return color.value }
        switch (attribute.attributeType, value) {
        case (_, nil), (_, is NSNull): return .null
        case (.transformableAttributeType, let value?): return transformable(value, attribute: attribute)
        case (.booleanAttributeType, let number as NSNumber): return .bool(number.boolValue)
        case (.floatAttributeType, let number as NSNumber): return Self.number(number.floatValue)
        default: return self.value(value)
        }
    }

    private func composite(_ value: Any?, composite: NSCompositeAttributeDescription) -> StudioValue {
        let values = value as? [String: Any]
        let fields = composite.elements.map { element -> StudioValue in
            ["key": .text(element.name), "value": self.value(values?[element.name], attribute: element)]
        }
        return ["$": "composite", "fields": .list(fields), "isNull": .bool(values == nil)]
    }

    private func transformable(
        _ attribute: NSAttributeDescription, of object: NSManagedObject
    ) -> StudioValue {
        if let data = object.storedData(forKey: attribute.name) { return stored(data, attribute: attribute) }
        return object.value(forKey: attribute.name).map { transformable($0, attribute: attribute) } ?? .null
    }

    /// An object that a transformer reads, by what the store would keep of it: of an app's class nothing else can be
    /// said than its address.
    private func transformable(_ value: Any, attribute: NSAttributeDescription) -> StudioValue {
        StudioColor.archive(of: value, attribute).map { stored($0, attribute: attribute) }
            ?? tree(PrintedValue(any: value))
    }

    private func stored(_ data: Data, attribute: NSAttributeDescription) -> StudioValue {
        if attribute.rules.kind == .color, let color = StudioColor(stored: data) { return color.value }
        if let tree = try? ArchivedValue(keyedArchive: data) { return self.tree(PrintedValue(tree)) }
        let coded = PrintedValue(stored: data)
        // Writing it would archive it, which is another form than the one that the app reads.
        return coded.isBytes ? bytes(data) : tree(coded).with("isCoded", value: .bool(true))
    }

    private func tree(_ value: PrintedValue) -> StudioValue {
        .tagged("tree", text: text(of: value))
    }

    private func text(of value: PrintedValue) -> String {
        String((limit <= Self.cell ? value.json : value.prettyJSON()).prefix(limit))
    }

    /// A value of any type.
    func value(_ value: Any?) -> StudioValue {
        switch value {
        case nil, is NSNull: .null
        case let text as String: self.text(text)
        case let number as NSDecimalNumber: .tagged("decimal", text: "\(number.decimalValue)")
        case let number as NSNumber: Self.number(number)
        case let date as Date: .tagged("date", text: Timestamp.text(of: date))
        case let data as Data: bytes(data)
        case let uuid as UUID: .tagged("uuid", text: uuid.uuidString)
        case let url as URL: .tagged("url", text: String(url.absoluteString.prefix(limit)))
        case let value?: tree(PrintedValue(any: value))
        }
    }

    func text(_ text: String) -> StudioValue {
        // A text of fewer bytes has fewer characters: those needn't be counted.
        if text.utf8.count <= limit { return .text(text) }
        let start = text.prefix(limit)
        if start.endIndex == text.endIndex { return .text(text) }
        return ["$": "text", "text": .text(String(start)), "length": .integer(text.count)]
    }

    private static func number(_ number: NSNumber) -> StudioValue {
        let code = String(cString: number.objCType)
        if code == "f" { return self.number(number.floatValue) }
        if code == "d" { return self.number(number.doubleValue) }
        let whole = number.int64Value
        if whole.magnitude > StudioValue.exact.magnitude { return .tagged("integer", text: "\(whole)") }
        return .integer(whole)
    }

    /// With the digits that the number has in its own width.
    private static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ number: Number
    ) -> StudioValue {
        guard number.isFinite, let double = Double("\(number)") else {
            return .tagged("number", text: "\(number)")
        }
        return .double(double)
    }

    /// Bytes, and the text of what they encode.
    func bytes(_ data: Data) -> StudioValue {
        let text = PrintedValue(binary: data).map(text(of:))
        return [
            "$": "data", "bytes": .integer(data.count), "type": .optional(ByteSignature.type(of: data)),
            "text": .optional(text),
        ]
    }
}

/// The kind of some bytes, by their beginning.
enum ByteSignature {
    private static let known: [(start: [UInt8], type: String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
        (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
        (Array("%PDF".utf8), "application/pdf"),
    ]

    /// A media type that is safe to show, nil for bytes that nothing is known of.
    static func type(of data: Data) -> String? {
        if data.count > 12, data.starts(with: Array("RIFF".utf8)),
            data.dropFirst(8).starts(with: Array("WEBP".utf8))
        {
            return "image/webp"
        }
        return known.first { data.starts(with: $0.start) }?.type
    }
}
