import SwiftData

/// A colour that is stored as text.
final class Swatch: NSObject {
    let red: Int
    let green: Int
    let blue: Int

    init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Swatch else { return false }
        return (red, green, blue) == (other.red, other.green, other.blue)
    }

    override var hash: Int { red << 16 | green << 8 | blue }
}

/// Nobody registers it: the attribute names the class.
final class SwatchTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let swatch = value as? Swatch else { return nil }
        return Data("\(swatch.red) \(swatch.green) \(swatch.blue)".utf8) as NSData
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        return Swatch(red: parts[0], green: parts[1], blue: parts[2])
    }
}
