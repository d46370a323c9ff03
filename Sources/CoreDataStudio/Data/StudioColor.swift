// Colours in attributes: texts like #FF8800CC, and what transformers and archives make of colours.

import CoreData
import StoreTools

/// A colour; its parts run from 0 to 1.
struct StudioColor: Equatable {
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double

    private init?(parts: [Double]) {
        guard parts.count == 3 || parts.count == 4, parts.allSatisfy({ 0...1 ~= $0 }) else { return nil }
        (red, green, blue) = (parts[0], parts[1], parts[2])
        alpha = parts.count == 4 ? parts[3] : 1
    }

    var parts: [Double] { [red, green, blue, alpha] }

    var value: StudioValue {
        [
            "$": "color", "red": .double(red), "green": .double(green), "blue": .double(blue),
            "alpha": .double(alpha),
        ]
    }

    /// From what a page sends.
    init?(_ value: StudioValue) {
        let parts = ["red", "green", "blue", "alpha"].compactMap { value[$0]?.number }
        guard parts.count == 4 else { return nil }
        self.init(parts: parts)
    }

    // MARK: Texts

    /// `#RRGGBBAA`.
    var text: String {
        "#"
            + parts.map { part in
                let digits = String(Int((part * 255).rounded()), radix: 16, uppercase: true)
                return digits.count < 2 ? "0" + digits : digits
            }.joined()
    }

    /// Of a text like `#RRGGBB` or `#RRGGBBAA`; nil for anything else.
    init?(_ value: Any?) {
        guard let text = value as? String, text.first == "#", text.utf8.count == 7 || text.utf8.count == 9
        else { return nil }
        let digits = Array(text.dropFirst())
        let parts = stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
            Int(String(digits[place...place + 1]), radix: 16).map { Double($0) / 255 }
        }
        guard parts.count * 2 == digits.count else { return nil }
        self.init(parts: parts)
    }

    // MARK: Transformable attributes

    /// The colour of a transformable attribute.
    static func of(_ attribute: NSAttributeDescription, object: NSManagedObject) -> StudioColor? {
        if let data = object.storedData(forKey: attribute.name) { return StudioColor(stored: data) }
        return object.value(forKey: attribute.name).flatMap { archive(of: $0, attribute) }
            .flatMap(StudioColor.init(stored:))
    }

    /// The bytes that a store would keep of a transformable attribute's value; nil where its transformer makes none.
    static func archive(of value: Any, _ attribute: NSAttributeDescription) -> Data? {
        attribute.traits.flatMap { traits in
            try? TransformableCoding.encode(
                value, attribute: traits, entity: attribute.entity.name ?? "", property: attribute.name)
        }
    }

    /// Of a JSON list of three or four numbers, or of an archived colour of Apple's.
    init?(stored data: Data) {
        if data.first == UInt8(ascii: "["), let parts = try? JSONDecoder().decode([Double].self, from: data) {
            self.init(parts: parts)
            return
        }
        guard let tree = try? ArchivedValue(keyedArchive: data) else { return nil }
        self.init(archived: tree)
    }

    private init?(archived tree: ArchivedValue) {
        switch tree {
        case .array(let values):
            let parts = values.compactMap(Self.number)
            guard parts.count == values.count else { return nil }
            self.init(parts: parts)
        case .object(_, let fields):
            if let white = fields["UIWhite"].flatMap(Self.number) {
                self.init(parts: [white, white, white, fields["UIAlpha"].flatMap(Self.number) ?? 1])
                return
            }
            let named = ["Red", "Green", "Blue", "Alpha"].compactMap { name in
                (fields["UI" + name] ?? fields[name.lowercased()]).flatMap(Self.number)
            }
            if named.count >= 3 {
                self.init(parts: named)
            } else if case .data(let bytes)? = fields["NSRGB"] {
                let words = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
                self.init(parts: words.split(separator: " ").compactMap { Double($0) })
            } else {
                return nil
            }
        default: return nil
        }
    }

    private static func number(_ value: ArchivedValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// An object that a transformable attribute takes for this colour: what its transformer reads from a list of
    /// four numbers. Nil where there is no such transformer.
    func object(for attribute: NSAttributeDescription) -> Any? {
        guard let name = attribute.valueTransformerName,
            let transformer = ValueTransformer(forName: NSValueTransformerName(name)),
            type(of: transformer).allowsReverseTransformation(),
            let data = try? JSONEncoder().encode(parts)
        else { return nil }
        return transformer.reverseTransformedValue(data)
    }
}
