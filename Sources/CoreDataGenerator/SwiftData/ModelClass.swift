// The plan of one class for SwiftData, with everything that the model says resolved.

/// A class with its own properties.
struct ModelClass {
    let name: String
    let superclass: String?
    /// Indicates whether other classes inherit from it.
    let isInherited: Bool
    let documentation: [String]
    /// `#Unique` and `#Index`, as they are written.
    var declarations: [String] = []
    var properties: [ModelClassProperty] = []
    /// The properties of superclasses that their initialisers ask for.
    var inherited: [ModelClassProperty] = []

    var required: [ModelClassProperty] { properties.filter(\.isRequired) }
}

/// A property of a class or of a structure.
struct ModelClassProperty {
    let name: String
    let type: String
    /// The macro before the property, with its arguments.
    var macro: String?
    /// The value that the property begins with.
    var initial: String?
    var documentation: [String] = []

    /// Indicates whether an initialiser has to be given the value.
    var isRequired: Bool { initial == nil && !type.hasSuffix("?") }

    /// The name as code has to spell it.
    var spelling: String { Keywords.escaped(name) }
}

/// The type of a composite attribute.
struct ModelStructure {
    let name: String
    var properties: [ModelClassProperty] = []
}
