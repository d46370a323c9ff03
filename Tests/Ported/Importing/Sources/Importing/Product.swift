import CoreData

@objc(Colour)
public final class Colour: NSObject, NSSecureCoding {
    public static let supportsSecureCoding = true
    public let red: Double

    public init(red: Double) {
        self.red = red
    }

    public init?(coder: NSCoder) {
        red = coder.decodeDouble(forKey: "red")
    }

    public func encode(with coder: NSCoder) {
        coder.encode(red, forKey: "red")
    }
}

/// Keeps a colour in eight bytes.
@objc(ColourTransformer)
public final class ColourTransformer: ValueTransformer {
    public override class func transformedValueClass() -> AnyClass { NSData.self }
    public override class func allowsReverseTransformation() -> Bool { true }

    public override func transformedValue(_ value: Any?) -> Any? {
        guard let colour = value as? Colour else { return nil }
        return withUnsafeBytes(of: colour.red.bitPattern) { Data($0) }
    }

    public override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, data.count == 8 else { return nil }
        return Colour(red: Double(bitPattern: data.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }))
    }

    public static func register() {
        ValueTransformer.setValueTransformer(
            ColourTransformer(),
            forName: NSValueTransformerName(rawValue: String(describing: ColourTransformer.self)))
    }
}

@objc(Product)
public final class Product: NSManagedObject {
    @NSManaged public var colour: Colour?
    @NSManaged public var extra: NSObject?
    @NSManaged public var name: String
    @NSManaged public var price: NSDecimalNumber?
    @NSManaged public var sku: Int64
    /// Narrower than the model, where a supplier is any party.
    @NSManaged public var supplier: Company?
}

@objc(Party)
public class Party: NSManagedObject {
    @NSManaged public var name: String?
    @NSManaged public var products: Set<Product>
}

@objc(Company)
public final class Company: Party {
    @NSManaged public var vat: String?
}

@objc(Person)
public final class Person: Party {}
