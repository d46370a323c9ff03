// A value of a class of our own in an attribute.

import CoreData

/// A colour. Attributes hold it as an object; what it looks like in the store is its transformer's affair.
final class Colour: NSObject, Sendable {
    /// From 0 to 1.
    let red: Double, green: Double, blue: Double, alpha: Double

    init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Core Data compares values to know whether an attribute changed.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Colour else { return false }
        return parts == other.parts
    }

    override var hash: Int { parts.hashValue }

    override var description: String {
        let numbers = parts.map { String(Int(($0 * 255).rounded()), radix: 16, uppercase: true) }
        return "#" + numbers.map { $0.count < 2 ? "0" + $0 : $0 }.joined()
    }

    fileprivate var parts: [Double] { [red, green, blue, alpha] }
}

/// Writes a colour as four numbers, `[1,0.5,0,1]`, and reads it again. The model names it as the transformer of
/// the attribute `favouriteColour`.
final class ColourTransformer: ValueTransformer {
    static let name = NSValueTransformerName("ColourTransformer")

    override class func transformedValueClass() -> AnyClass { NSData.self }

    /// From the object to what the store keeps.
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Colour).flatMap { try? JSONEncoder().encode($0.parts) }
    }

    /// And back. A value that isn't four numbers is no colour: the library reports that as an error.
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let parts = try? JSONDecoder().decode([Double].self, from: data),
            parts.count == 4
        else { return nil }
        return Colour(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }
}
