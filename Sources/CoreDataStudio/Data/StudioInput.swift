// Values that a page sends, as values of attributes.

import CoreData
import CoreDataSupport
import StoreTools

/// Reads what a person typed. Nothing in it leads to a file of the server.
enum StudioInput {
    static func value(_ input: StudioValue, for attribute: NSAttributeDescription) throws -> Any? {
        let value = try read(input, for: attribute)
        guard attribute.kind == .choice, let value, attribute.choiceLabel(of: value) == nil else {
            return value
        }
        let labels = attribute.rules.choices.map(\.label).joined(separator: ", ")
        throw StudioProblem(status: 422, "“\(attribute.label)” is one of these: \(labels).")
    }

    private static func read(_ input: StudioValue, for attribute: NSAttributeDescription) throws -> Any? {
        if case .null = input { return nil }
        if attribute.kind == .color { return try color(input, attribute: attribute) }
        switch attribute.attributeType {
        case .stringAttributeType:
            if case .text(let text) = input { return text }
        case .booleanAttributeType:
            if case .bool(let flag) = input { return NSNumber(value: flag) }
            return try typed(input, attribute: attribute)
        case .binaryDataAttributeType:
            if case .text(let text) = input, let data = Data(base64Encoded: text) { return data }
        case .compositeAttributeType:
            if let composite = attribute as? NSCompositeAttributeDescription {
                return try elements(input, composite: composite)
            }
        case .transformableAttributeType: return try transformable(input, attribute: attribute)
        case .undefinedAttributeType, .objectIDAttributeType: break
        default: return try typed(input, attribute: attribute)
        }
        throw StudioProblem(status: 422, "That is no value for “\(attribute.label)”.")
    }

    private static func typed(_ input: StudioValue, attribute: NSAttributeDescription) throws -> Any? {
        let text: String
        switch input {
        case .text(let typed): text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        case .bool(let flag): text = flag ? "true" : "false"
        case .integer(let number): text = "\(number)"
        case .double(let number): text = "\(number)"
        default: throw StudioProblem(status: 422, "That is no value for “\(attribute.label)”.")
        }
        guard text.utf8.count <= 100_000 else {
            throw StudioProblem(status: 422, "That is too long for “\(attribute.label)”.")
        }
        do {
            return try TypedText.value(text, for: attribute)
        } catch {
            throw StudioProblem(status: 422, readable(error))
        }
    }

    private static func color(_ input: StudioValue, attribute: NSAttributeDescription) throws -> Any? {
        guard let color = StudioColor(input) ?? StudioColor(input.text) else {
            throw StudioProblem(status: 422, "That is no colour.")
        }
        if attribute.attributeType == .stringAttributeType { return color.text }
        if let object = color.object(for: attribute) { return object }
        throw StudioProblem(
            status: 422,
            "“\(attribute.label)” is made by the value transformer \(attribute.valueTransformerName ?? ""), "
                + "which isn't here, or makes no colour of four numbers.")
    }

    private static func elements(_ input: StudioValue, composite: NSCompositeAttributeDescription) throws
        -> Any?
    {
        guard case .record(let fields) = input else {
            throw StudioProblem(status: 422, "That is no value for “\(composite.label)”.")
        }
        var values: [String: Any] = [:]
        for (key, field) in fields {
            guard let element = composite.elements.first(where: { $0.name == key }) else {
                throw StudioProblem(status: 422, "“\(composite.label)” has no element “\(key.prefix(100))”.")
            }
            values[key] = try value(field, for: element)
        }
        return values
    }

    private static func transformable(_ input: StudioValue, attribute: NSAttributeDescription) throws
        -> Any?
    {
        guard let text = input.text, text.utf8.count <= ShownValue.editor else {
            throw StudioProblem(status: 422, "“\(attribute.label)” takes JSON.")
        }
        guard let value = try typedTree(text, attribute: attribute) else {
            throw StudioProblem(status: 422, "That isn't JSON.")
        }
        return value
    }

    private static func typedTree(_ text: String, attribute: NSAttributeDescription) throws -> Any? {
        do {
            return try TypedText.value(text, for: attribute)
        } catch {
            throw StudioProblem(status: 422, readable(error))
        }
    }
}
