// Elements of composite attributes among an entity's properties: found by key path, and back.

import Foundation

extension NSEntityDescription {
    /// The element of a composite attribute at a key path such as `address.city`.
    func element(at path: String) -> NSAttributeDescription? {
        let names = path.split(separator: "." as Character, omittingEmptySubsequences: false).map(String.init)
        guard names.count > 1, var found = attributesByName[names[0]] else { return nil }
        for name in names.dropFirst() {
            guard let next = found.parts.first(where: { $0.name == name }) else { return nil }
            found = next
        }
        return found
    }

    /// The name of a property, or the key path of an element of one of the entity's composite attributes.
    func path(of property: NSPropertyDescription) -> String {
        if propertiesByName[property.name] === property { return property.name }
        for attribute in attributesByName.values {
            if let path = attribute.path(of: property) { return path }
        }
        return property.name
    }
}

extension NSAttributeDescription {
    /// The parts of a composite attribute; of any other there are none.
    fileprivate var parts: [NSAttributeDescription] {
        (self as? NSCompositeAttributeDescription)?.elements ?? []
    }

    fileprivate func path(of property: NSPropertyDescription) -> String? {
        for element in parts {
            if element === property { return name + "." + element.name }
            if let path = element.path(of: property) { return name + "." + path }
        }
        return nil
    }
}
