// The table of all inspectors' fields.

import CoreDataFiles
import CoreDataSchema

extension ModelField {
    static let numbers = names(of: .integer16, .integer32, .integer64, .decimal, .double, .float)
    static let scalars =
        numbers.filter { $0 != AttributeType.decimal.sourceName } + names(of: .boolean, .date, .uuid, .uri)
    /// Types whose default values a source model can state.
    static let withDefault = numbers + names(of: .string, .boolean, .date, .uuid, .uri)
    static let typeNames = AttributeType.allCases.map(\.sourceName)

    private static func names(of types: AttributeType...) -> [String] { types.map(\.sourceName) }

    /// The fields of each kind of element, in the order of the inspector.
    package static let all: [String: [ModelField]] = [
        "model": model, "entity": entity, "attribute": attribute, "relationship": relationship,
        "fetchedProperty": fetchedProperty, "fetchRequest": fetchRequest, "configuration": configuration,
        "composite": [name], "fetchIndex": fetchIndex, "fetchIndexElement": fetchIndexElement,
    ]

    private static let name = ModelField("name", label: "Name", kind: .name, section: "", isShared: false)

    private static let versioning = [
        ModelField(
            "versionHashModifier", label: "Hash modifier", kind: .text, section: "Versioning",
            help: "Any text. Another one makes a version of its own of what is otherwise unchanged."),
        ModelField(
            "elementID", label: "Renaming ID", kind: .text, section: "Versioning",
            help: "The name in the version before, so that a migration takes values along.", isShared: false),
    ]

    private static let model = [
        ModelField(
            "userDefinedModelVersionIdentifier", label: "Identifier", kind: .text, section: "Versioning"),
        ModelField("minimumToolsVersion", label: "Minimum tools version", kind: .text, section: "Tools"),
        ModelField(
            "sourceLanguage", label: "Language of generated code", kind: .choice, section: "Tools",
            choices: [("Swift", "Swift"), ("Objective-C", "Objective-C")]),
        ModelField(
            "usedWithCloudKit", label: "Used with CloudKit", kind: .flag, section: "Tools",
            storage: .flag("usedWithCloudKit", absent: false, yes: "true", no: "false")),
    ]

    private static let entity =
        [
            name,
            ModelField(
                "isAbstract", label: "Abstract", kind: .flag, section: "",
                help: "There are no objects of this very entity."),
            ModelField("parentEntity", label: "Parent entity", kind: .entity, section: ""),
            ModelField(
                "className", label: "Class", kind: .text, section: "Class", storage: .className,
                isShared: false),
            ModelField(
                "module", label: "Module", kind: .text, section: "Class", storage: .module,
                help: "A dot stands for the product that the model is part of."),
            ModelField(
                "codeGenerationType", label: "Codegen", kind: .choice, section: "Class",
                choices: [
                    ("", "Manual/None"), ("class", "Class Definition"), ("category", "Category/Extension"),
                ]),
            ModelField(
                "coreSpotlightDisplayNameExpression", label: "Spotlight display name", kind: .expression,
                section: "Spotlight"),
        ] + versioning

    private static let attribute =
        [
            name,
            ModelField(
                "attributeType", label: "Type", kind: .choice, section: "", storage: .type,
                choices: typeNames.map { ($0, $0) }),
            ModelField(
                "composite", label: "Composite type", kind: .composite, section: "", types: ["Composite"]),
            ModelField("optional", label: "Optional", kind: .flag, section: ""),
            ModelField("transient", label: "Transient", kind: .flag, section: "", help: "Not stored."),
            ModelField(
                "derived", label: "Derived", kind: .flag, section: "", storage: .derived,
                help: "Computed from other values on save.",
                isShared: false),
            ModelField(
                "derivationExpression", label: "Derivation", kind: .expression, section: "",
                help: "For example canonical:(name), orders.@count or now()."),
            ModelField(
                "filteringPredicate", label: "Filter", kind: .predicate, section: "",
                help: "Which objects a count or sum is of; all if empty."),
            ModelField(
                "usesScalarValueType", label: "Use scalar type", kind: .flag, section: "",
                storage: .stated("usesScalarValueType"),
                types: scalars),
            ModelField(
                "defaultValue", label: "Default value", kind: .text, section: "Value",
                storage: .dated("defaultValueString", "defaultDateTimeInterval"), types: withDefault,
                help: "Booleans YES or NO, dates as 2024-05-01 or 2024-05-01T10:20:30Z."),
            ModelField(
                "minimum", label: "Minimum", kind: .text, section: "Value",
                storage: .dated("minValueString", "minDateTimeInterval"),
                types: numbers + ["Date", "String"], help: "Of text its length."),
            ModelField(
                "maximum", label: "Maximum", kind: .text, section: "Value",
                storage: .dated("maxValueString", "maxDateTimeInterval"),
                types: numbers + ["Date", "String"], help: "Of text its length."),
            ModelField(
                "regularExpressionString", label: "Regular expression", kind: .pattern, section: "Value",
                types: ["String"]),
            ModelField(
                "valueTransformerName", label: "Value transformer", kind: .text, section: "Value",
                types: ["Transformable"],
                help: "NSSecureUnarchiveFromData, or the name of a transformer of yours."),
            ModelField(
                "customClassName", label: "Custom class", kind: .text, section: "Value",
                storage: .customClass, types: ["Transformable"]),
            ModelField(
                "customModule", label: "Module", kind: .text, section: "Value", storage: .customModule,
                types: ["Transformable"],
                help: "Of the custom class. A dot stands for the product that the model is part of."),
            ModelField(
                "allowsExternalBinaryDataStorage", label: "Allows external storage", kind: .flag,
                section: "Storage",
                types: ["Binary", "Transformable"]),
            ModelField(
                "allowsCloudEncryption", label: "Allows cloud encryption", kind: .flag, section: "Storage"),
            ModelField(
                "preserveAfterDeletion", label: "Preserve after deletion", kind: .flag, section: "Storage",
                help: "The value stays in the history's tombstones."),
            ModelField(
                "spotlightIndexingEnabled", label: "Index in Spotlight", kind: .flag, section: "Storage"),
            ModelField(
                "storedInTruthFile", label: "Store in external record", kind: .flag, section: "Storage"),
            ModelField(
                "indexed", label: "Indexed", kind: .flag, section: "Storage",
                help: "Deprecated: fetch indexes say more."),
        ] + versioning

    private static let relationship =
        [
            name,
            ModelField(
                "destinationEntity", label: "Destination", kind: .entity, section: "", storage: .destination),
            ModelField(
                "inverseName", label: "Inverse", kind: .inverse, section: "", storage: .inverse,
                isShared: false),
            ModelField("toMany", label: "To-many", kind: .flag, section: "", storage: .toMany),
            ModelField("ordered", label: "Ordered", kind: .flag, section: ""),
            ModelField(
                "deletionRule", label: "Delete rule", kind: .choice, section: "",
                storage: .attribute("deletionRule"),
                choices: [
                    ("Nullify", "Nullify"), ("Cascade", "Cascade"), ("Deny", "Deny"),
                    ("No Action", "No Action"),
                ], help: "What becomes of the objects on the other side when this one is deleted."),
            ModelField("optional", label: "Optional", kind: .flag, section: ""),
            ModelField("transient", label: "Transient", kind: .flag, section: ""),
            ModelField("minCount", label: "Minimum count", kind: .number, section: "Count"),
            ModelField(
                "maxCount", label: "Maximum count", kind: .number, section: "Count",
                help: "Of a to-many relationship; empty for any."),
            ModelField(
                "spotlightIndexingEnabled", label: "Index in Spotlight", kind: .flag, section: "Storage"),
            ModelField(
                "storedInTruthFile", label: "Store in external record", kind: .flag, section: "Storage"),
        ] + versioning

    private static let fetchedProperty =
        [
            name,
            ModelField(
                "destinationEntity", label: "Destination", kind: .entity, section: "",
                storage: .request("entity")),
            ModelField(
                "predicateString", label: "Predicate", kind: .predicate, section: "",
                storage: .request("predicateString"),
                help: "$FETCH_SOURCE is the object that has the property."),
            ModelField("optional", label: "Optional", kind: .flag, section: ""),
        ] + versioning

    private static let fetchRequest = [
        name,
        ModelField("entity", label: "Entity", kind: .entity, section: ""),
        ModelField(
            "predicateString", label: "Predicate", kind: .predicate, section: "", help: "$NAME is a variable."
        ),
        ModelField(
            "resultType", label: "Result type", kind: .choice, section: "Result",
            choices: [
                ("", "Objects"), ("1", "Object IDs"), ("2", "Dictionaries"), ("4", "Count"),
            ]),
        ModelField("fetchLimit", label: "Fetch limit", kind: .number, section: "Result"),
        ModelField("fetchBatchSize", label: "Batch size", kind: .number, section: "Result"),
        ModelField(
            "includeSubentities", label: "Include subentities", kind: .flag, section: "Options",
            storage: .flag("includeSubentities", absent: true)),
        ModelField(
            "includePropertyValues", label: "Include property values", kind: .flag, section: "Options",
            storage: .flag("includePropertyValues", absent: true)),
        ModelField(
            "includePendingChanges", label: "Include pending changes", kind: .flag, section: "Options",
            storage: .flag("includePendingChanges", absent: true)),
        ModelField(
            "returnObjectsAsFaults", label: "Return objects as faults", kind: .flag, section: "Options",
            storage: .flag("returnObjectsAsFaults", absent: true)),
        ModelField("returnDistinctResults", label: "Distinct results", kind: .flag, section: "Options"),
    ]

    private static let configuration = [
        name, ModelField("usedWithCloudKit", label: "Used with CloudKit", kind: .flag, section: ""),
    ]

    private static let fetchIndex = [
        name,
        ModelField("partialIndexPredicate", label: "Partial index predicate", kind: .predicate, section: ""),
    ]

    private static let fetchIndexElement = [
        ModelField("property", label: "Property", kind: .property, section: "", isShared: false),
        ModelField(
            "expression", label: "Expression", kind: .expression, section: "", help: "Instead of a property.",
            isShared: false),
        ModelField(
            "expressionType", label: "Expression's type", kind: .choice, section: "",
            choices: typeNames.filter { $0 != "Composite" }.map { ($0, $0) }),
        ModelField(
            "type", label: "Index type", kind: .choice, section: "",
            choices: [("Binary", "Binary"), ("RTree", "R-Tree")]),
        ModelField(
            "order", label: "Order", kind: .choice, section: "",
            choices: [("ascending", "Ascending"), ("descending", "Descending")]),
    ]
}
