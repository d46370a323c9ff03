// Stands in for an app's transformer of colours, so that the studio can change them where the app isn't.

import CoreData

/// A colour as an object of an attribute.
final class ColorObject: NSObject, Sendable {
    let parts: [Double]

    init(_ parts: [Double]) { self.parts = parts }

    override func isEqual(_ object: Any?) -> Bool { (object as? ColorObject)?.parts == parts }

    override var hash: Int { parts.hashValue }
}

/// Reads and writes colours as JSON lists of red, green, blue and alpha.
final class ColorTransformer: ValueTransformer {
    /// Registers one under each name that the model gives transformers of colours, unless somebody else did. Only for
    /// a studio that isn't part of an app: an app registers its own, perhaps later.
    static func standIn(for model: NSManagedObjectModel) {
        for attribute in model.entities.flatMap(\.attributesByName.values)
        where attribute.rules.kind == .color {
            guard attribute.attributeType == .transformableAttributeType,
                let name = attribute.valueTransformerName.map({ NSValueTransformerName($0) }),
                !name.rawValue.isEmpty, ValueTransformer(forName: name) == nil
            else { continue }
            ValueTransformer.setValueTransformer(ColorTransformer(), forName: name)
        }
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }

    override func transformedValue(_ value: Any?) -> Any? {
        (value as? ColorObject).flatMap { try? JSONEncoder().encode($0.parts) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let parts = try? JSONDecoder().decode([Double].self, from: data),
            (3...4).contains(parts.count)
        else { return nil }
        return ColorObject(parts)
    }
}
