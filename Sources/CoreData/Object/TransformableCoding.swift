// Objects of transformable attributes to the bytes that a store keeps, and back.

package import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The two ways between an object and its bytes, by the attribute's transformer.
package enum TransformableCoding {
    /// The bytes of an object. Throws an error that names entity and property.
    package static func encode(
        _ object: Any, attribute: AttributeTraits, entity: String, property: String
    ) throws -> Data {
        do {
            let coder = try Coder(attribute)
            if case .unsecured = coder, !SecureArchive.isPlain(object) {
                warnOfCoding(entity, property: property)
            }
            return try coder.data(for: object)
        } catch {
            let reason = "\(error)"
            throw CoreDataError.make(
                CocoaError.coderInvalidValue.rawValue,
                description: "The value of \(entity).\(property) can't be stored: \(reason).",
                file: nil, entity: entity, property: property, reason: reason)
        }
    }

    /// The object that the bytes stand for; `nil`, with a warning that names entity and property, for bytes that
    /// can't be read. The bytes stay in the store until another value is set.
    package static func decode(
        _ data: Data, attribute: AttributeTraits, entity: String, property: String
    ) -> Any? {
        do {
            return try object(from: data, attribute: attribute, entity: entity, property: property)
        } catch {
            Log.warning(error.localizedDescription)
            return nil
        }
    }

    /// The object that the bytes stand for. As `decode(_:attribute:entity:property:)`, but throws an error that names entity
    /// and property where the program hasn't registered the attribute's transformer.
    package static func object(
        from data: Data, attribute: AttributeTraits, entity: String, property: String
    ) throws -> Any? {
        let subject = "the stored value of \(entity).\(property) can't be read"
        let coder: Coder
        do {
            coder = try Coder(attribute)
        } catch {
            throw CoreDataError.make(
                CocoaError.coderReadCorrupt.rawValue, description: "\(subject): \(error)", file: nil,
                entity: entity,
                property: property, reason: "\(error)")
        }
        do {
            let object = try coder.object(from: data)
            if case .unsecured = coder, !SecureArchive.isPlain(object) {
                warnOfCoding(entity, property: property)
            }
            return object
        } catch {
            Log.warning("\(subject): \(error)")
            return nil
        }
    }

    /// Returns true if the program has the attribute's transformer: without it objects can't be stored.
    static func isKnown(_ attribute: AttributeTraits) -> Bool { (try? Coder(attribute)) != nil }

    /// The log says it once for each attribute.
    private static func warnOfCoding(_ entity: String, property: String) {
        if entity.isEmpty { return }
        Log.warning(
            "\(entity).\(property) names no value transformer, so that objects of any class are archived without secure "
                + "coding: NSSecureUnarchiveFromDataTransformer, or a subclass that allows their classes, is safer"
        )
    }
}

/// The use of one attribute's transformer.
private enum Coder {
    /// Object to data in `transformedValue(_:)`, as custom transformers work.
    case forward(ValueTransformer, String)
    /// Data to object in `transformedValue(_:)`; `allowed` tells why it answered nil.
    case reverse(ValueTransformer, String, SecureArchive.Allowed)
    case archive(SecureArchive.Allowed)
    /// Archives of objects of any class, where the model names no transformer.
    case unsecured

    init(_ attribute: AttributeTraits) throws {
        guard let name = attribute.valueTransformerName, !name.isEmpty else {
            self = .unsecured
            return
        }
        switch ValueTransformerRegistry.transformer(NSValueTransformerName(name)) {
        case let secure as NSSecureUnarchiveFromDataTransformer:
            let classes = type(of: secure).allowedTopLevelClasses
            let isStandard = type(of: secure) == NSSecureUnarchiveFromDataTransformer.self
            self =
                isStandard
                ? .archive(Self.allowed(classes, attribute: attribute))
                : .reverse(secure, name, .classes(classes))
        case let keyed as KeyedUnarchiveTransformer: self = .reverse(keyed, name, .any)
        case let custom?: self = .forward(custom, name)
        case nil:
            throw ArchiveFailure(
                "no value transformer is registered as \(name), nor is there a class of that name; "
                    + "ValueTransformer.setValueTransformer(_:forName:) registers one")
        }
    }

    /// The class that the model states for the attribute's values counts as allowed.
    private static func allowed(
        _ classes: [AnyClass], attribute: AttributeTraits
    ) -> SecureArchive.Allowed {
        guard let name = attribute.valueClassName,
            let stated = NSClassFromString(name) ?? LoadedClasses.denoted(by: name, below: NSObject.self)
        else {
            return .classes(classes)
        }
        return .classes(classes + [stated])
    }

    func data(for object: Any) throws -> Data {
        switch self {
        case .archive(let allowed): return try SecureArchive.data(for: object, allowed: allowed)
        case .unsecured: return try SecureArchive.data(for: object, allowed: .any)
        case .forward(let transformer, let name):
            if let data = transformer.transformedValue(object) as? Data { return data }
            throw ArchiveFailure("the value transformer \(name) gave no data for a \(type(of: object))")
        case .reverse(let transformer, let name, let allowed):
            if let data = transformer.reverseTransformedValue(object) as? Data { return data }
            _ = try SecureArchive.data(for: object, allowed: allowed)
            throw ArchiveFailure("the value transformer \(name) gave no data for a \(type(of: object))")
        }
    }

    func object(from data: Data) throws -> Any {
        switch self {
        case .archive(let allowed): return try SecureArchive.object(from: data, allowed: allowed)
        case .unsecured: return try SecureArchive.object(from: data, allowed: .any)
        case .forward(let transformer, let name):
            guard type(of: transformer).allowsReverseTransformation() else {
                throw ArchiveFailure("the value transformer \(name) does not allow reverse transformation")
            }
            if let object = transformer.reverseTransformedValue(data) { return object }
            throw ArchiveFailure("the value transformer \(name) gave nothing for \(data.count) bytes")
        case .reverse(let transformer, let name, let allowed):
            if let object = transformer.transformedValue(data) { return object }
            _ = try SecureArchive.object(from: data, allowed: allowed)
            throw ArchiveFailure("the value transformer \(name) gave nothing for \(data.count) bytes")
        }
    }
}
