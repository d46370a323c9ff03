// The plan of one class's source, with everything that the model says resolved.

import CoreDataSchema

/// A class with its own properties.
struct ClassPlan {
    /// The name from the module on, without it.
    let name: String
    let superclass: String
    /// The highest entity whose class it is: what the class is fetched by.
    let entity: EntitySchema
    /// Indicates whether the class itself is written, and not only an extension of it.
    let declaresClass: Bool
    let access: AccessLevel
    var isIdentifiable: Bool
    var properties: [PropertyPlan]
    var templates: [TemplatePlan] = []

    /// The name without the types that it stands in: what Objective-C calls it, and files.
    var baseName: String { name.split(separator: ".").last.map(String.init) ?? name }
    var type: String { TypeNames.escaped(name) }
}

/// A property of a class.
struct PropertyPlan {
    enum Kind {
        case attribute
        /// A date as seconds.
        case interval
        case toOne
        case toMany(isOrdered: Bool, element: String)
        case fetched

        var isFetched: Bool { if case .fetched = self { true } else { false } }
    }

    let name: String
    let kind: Kind
    /// The type of the variable.
    let type: String
    /// The member of `NSNumber` that unpacks the value, if the type can't be optional on Apple's systems.
    var unpacking: String?
    let access: AccessLevel
    let isReadOnly: Bool
    /// Nil where it is found by key.
    let place: PropertyPlace?
    let documentation: String?

    /// The name as code has to spell it.
    var spelling: String { Keywords.escaped(name) }
}

/// A function that makes a fetch request out of a template.
struct TemplatePlan {
    struct Parameter {
        let name: String
        let variable: String
        let type: String
    }

    let name: String
    let templateName: String
    let entityName: String
    let parameters: [Parameter]
    let resultType: String
    /// Statements that fill `request`.
    let lines: [String]
}
