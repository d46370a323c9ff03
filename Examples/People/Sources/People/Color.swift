// A class that no store knows, and what makes bytes of it.

import CoreData

/// A colour, of red, green and blue from 0 to 255.
final class Color: NSObject, Sendable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
        super.init()
    }

    static let black = Color(0, 0, 0)
    static let silver = Color(192, 192, 192)
    static let red = Color(200, 16, 46)
    static let gold = Color(212, 175, 55)

    // Colours with the same parts are equal. Predicates ask this in memory; in SQL they compare the bytes.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Color else { return false }
        return (red, green, blue) == (other.red, other.green, other.blue)
    }

    override var hash: Int {
        var hasher = Hasher()
        hasher.combine(red)
        hasher.combine(green)
        hasher.combine(blue)
        return hasher.finalize()
    }

    override var description: String { "#" + [red, green, blue].map { String(format: "%02X", $0) }.joined() }
}

/// Makes three bytes of a colour, and the colour of the bytes. The model names it for the attribute `color`.
///
/// The same colour always gives the same bytes: that is what lets `color == %@` find it in the store.
final class ColorTransformer: ValueTransformer {
    static let name = NSValueTransformerName("ColorTransformer")

    /// To be called before a store with colours is used.
    static func register() {
        ValueTransformer.setValueTransformer(ColorTransformer(), forName: name)
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let color = value as? Color else { return nil }
        return Data([color.red, color.green, color.blue])
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, data.count == 3 else { return nil }
        let bytes = [UInt8](data)
        return Color(bytes[0], bytes[1], bytes[2])
    }
}
