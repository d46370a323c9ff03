// An attribute whose values are printed: the facts of the model that each value would ask for again.

import CoreData
import CoreDataSupport

/// An attribute, or an element of a composite one, in a column.
final class PrintedAttribute {
    private let name: String
    private let type: NSAttributeType
    /// The attribute, if it is composite.
    private let composite: NSCompositeAttributeDescription?
    /// The path into a composite attribute; empty for all of it.
    private let elements: [String]

    init(_ attribute: NSAttributeDescription, elements: [String]) {
        name = attribute.name
        type = attribute.attributeType
        composite = attribute as? NSCompositeAttributeDescription
        self.elements = elements
    }

    /// The attribute's value of an object.
    ///
    /// - Parameters:
    ///   - showsArchives: whether a transformable value is shown as the bytes that the store holds, not as a tree.
    ///   - keepsBytes: whether the bytes of a binary attribute are kept, not shown as what they encode.
    func value(of object: NSManagedObject, showsArchives: Bool, keepsBytes: Bool) -> PrintedValue {
        if type == .transformableAttributeType {
            if showsArchives { return StoredValue.archive(name, of: object) }
            return object.storedData(forKey: name).map { PrintedValue(stored: $0) } ?? .null
        }
        if let plain = object.plainValue(forKey: name), let printed = StoredValue.printed(plain, type: type) {
            return printed
        }
        let value = object.value(forKey: name)
        if type == .binaryDataAttributeType, !keepsBytes, let data = value as? Data {
            return PrintedValue(binary: data) ?? .bytes(data)
        }
        guard let composite else { return StoredValue.printed(value, type: type) }
        return Self.element(elements[...], of: composite, values: value as? [String: Any])
    }

    private static func element(
        _ path: ArraySlice<String>, of composite: NSCompositeAttributeDescription, values: [String: Any]?
    ) -> PrintedValue {
        guard let name = path.first else {
            guard let values else { return .null }
            return .record(
                composite.elements.map {
                    .init($0.name, value: element([$0.name], of: composite, values: values))
                })
        }
        guard let attribute = composite.elements.first(where: { $0.name == name }) else { return .null }
        if let inner = attribute as? NSCompositeAttributeDescription {
            return element(path.dropFirst(), of: inner, values: values?[name] as? [String: Any])
        }
        return StoredValue.printed(values?[name], type: attribute.attributeType)
    }
}
