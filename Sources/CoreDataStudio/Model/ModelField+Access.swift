// Reads fields from a model's elements, and writes those that concern one element only.

extension ModelField {
    /// The field's value in an element.
    package func value(in node: ModelNode) -> ModelValue {
        switch storage {
        case .attribute(let name): return Self.text(node[name])
        case .flag(let name, let absent, _, _): return .flag(node.flag(name, absent: absent))
        case .stated(let name): return .flag(node.flag(name))
        case .dated(let plain, let dated):
            return Self.text(
                node.attributeType == "Date" ? (node[dated] ?? node[plain]).map(ModelDate.text) : node[plain])
        case .className: return Self.text(node.classParts.name)
        case .module: return Self.text(node.classParts.module)
        case .customClass: return Self.text(node.customClassParts.name)
        case .customModule: return Self.text(node.customClassParts.module)
        case .type: return .text(node.attributeType)
        case .toMany: return .flag(node.isToMany)
        case .derived: return .flag(node.flag("derived"))
        case .inverse: return Self.text(node["inverseName"])
        case .destination: return Self.text(node["destinationEntity"])
        case .request(let name): return Self.text(node.child("fetchRequest")?[name])
        }
    }

    private static func text(_ text: String?) -> ModelValue {
        text.map { $0.isEmpty ? .none : .text($0) } ?? .none
    }

    /// Gives an element's field a value. `ModelEditor` changes a relationship's other side.
    func set(_ value: ModelValue, in node: inout ModelNode) {
        switch storage {
        case .attribute(let name): node[name] = value.text
        case .flag(let name, let absent, let yes, let no):
            // A value that the file states already stays stated.
            let isStated = node[name] != nil && value.isTrue == node.flag(name, absent: absent)
            if isStated { return }
            node[name] = value.isTrue == absent ? nil : value.isTrue ? yes : no
        case .stated(let name): node[name] = value.isTrue ? "YES" : "NO"
        case .dated(let plain, let dated):
            let isDate = node.attributeType == "Date"
            if isDate, node[plain] != nil { node[plain] = nil }
            node[isDate ? dated : plain] = isDate ? value.text.map(ModelDate.seconds) : value.text
        case .className: node.setClass(value.text, module: node.classParts.module)
        case .module: node.setClass(node.classParts.name, module: value.text)
        case .customClass: node.setCustomClass(value.text, module: node.customClassParts.module)
        case .customModule: node.setCustomClass(node.customClassParts.name, module: value.text)
        case .type: node.setType(value.text ?? "Undefined")
        case .toMany: node.setToMany(value.isTrue)
        case .derived:
            node["derived"] = value.isTrue ? "YES" : nil
            if !value.isTrue {
                node["derivationExpression"] = nil
                node["filteringPredicate"] = nil
            }
        case .inverse, .destination: break
        case .request(let name):
            guard let place = node.children.firstIndex(where: { $0.name == "fetchRequest" }) else { return }
            node.children[place][name] = value.text
        }
    }
}

extension ModelNode {
    var isToMany: Bool {
        if let text = self["maxCount"], let count = Int(text) { return count != 1 }
        return flag("toMany")
    }

    /// An entity's class and the module that its name begins with; a dot is the product's own.
    var classParts: (name: String?, module: String?) { Self.parts(of: self["representedClassName"]) }

    /// The same of a transformable attribute's class, which may also be a type such as `[String]`.
    var customClassParts: (name: String?, module: String?) {
        let text = self["customClassName"]
        let isPlain = text?.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) } ?? false
        return isPlain ? Self.parts(of: text) : (text, nil)
    }

    private static func parts(of text: String?) -> (name: String?, module: String?) {
        guard let text, !text.isEmpty else { return (nil, nil) }
        if text.hasPrefix(".") { return (String(text.dropFirst()), ".") }
        guard let dot = text.lastIndex(of: ".") else { return (text, nil) }
        return (String(text[text.index(after: dot)...]), String(text[..<dot]))
    }

    mutating func setClass(_ name: String?, module: String?) {
        guard let name else {
            self["representedClassName"] = nil
            return
        }
        self["representedClassName"] = Self.prefix(module) + name
    }

    mutating func setCustomClass(_ name: String?, module: String?) {
        self["customClassName"] = name.map { Self.prefix(module) + $0 }
    }

    private static func prefix(_ module: String?) -> String {
        module == "." ? "." : module.map { $0 + "." } ?? ""
    }

    /// Changes an attribute's type and drops what the new one can't have.
    mutating func setType(_ type: String) {
        guard type != attributeType else { return }
        let wasNumber = ModelField.numbers.contains(attributeType)
        self["attributeType"] = type
        let staysNumber = wasNumber && ModelField.numbers.contains(type)
        for name in ["minValueString", "maxValueString", "defaultValueString"] where !staysNumber {
            self[name] = nil
        }
        for name in ["minDateTimeInterval", "maxDateTimeInterval", "defaultDateTimeInterval"] {
            self[name] = nil
        }
        if type != "String" { self["regularExpressionString"] = nil }
        if type != "Transformable" {
            self["valueTransformerName"] = nil
            self["customClassName"] = nil
        }
        if type != "Composite" { self["composite"] = nil }
        if type != "Binary", type != "Transformable" { self["allowsExternalBinaryDataStorage"] = nil }
        let isNumber = ModelField.numbers.contains(type) || type == "Boolean"
        if !ModelField.scalars.contains(type) {
            self["usesScalarValueType"] = nil
        } else if self["usesScalarValueType"] == nil {
            self["usesScalarValueType"] = isNumber ? "YES" : "NO"
        }
    }

    /// A to-one relationship has 1 as its greatest count in the file.
    mutating func setToMany(_ isToMany: Bool) {
        guard isToMany != self.isToMany else { return }
        self["toMany"] = isToMany ? "YES" : nil
        self["maxCount"] = isToMany ? nil : "1"
        if !isToMany {
            self["minCount"] = nil
            self["ordered"] = nil
        }
    }
}
