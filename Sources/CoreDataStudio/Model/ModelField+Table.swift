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

    private static let name = ModelField("name", "Name", .name, "", isShared: false)

    private static let versioning = [
        ModelField(
            "versionHashModifier", "Hash modifier", .text, "Versioning",
            help: "Any text. Another one makes a version of its own of what is otherwise unchanged."),
        ModelField(
            "elementID", "Renaming ID", .text, "Versioning",
            help: "The name in the version before, so that a migration takes values along.", isShared: false),
    ]

    private static let model = [
        ModelField("userDefinedModelVersionIdentifier", "Identifier", .text, "Versioning"),
        ModelField("minimumToolsVersion", "Minimum tools version", .text, "Tools"),
        ModelField(
            "sourceLanguage", "Language of generated code", .choice, "Tools",
            choices: [("Swift", "Swift"), ("Objective-C", "Objective-C")]),
        ModelField(
            "usedWithCloudKit", "Used with CloudKit", .flag, "Tools",
            .flag("usedWithCloudKit", absent: false, yes: "true", no: "false")),
    ]

    private static let entity =
        [
            name,
            ModelField(
                "isAbstract", "Abstract", .flag, "", help: "There are no objects of this very entity."),
            ModelField("parentEntity", "Parent entity", .entity, ""),
            ModelField("className", "Class", .text, "Class", .className, isShared: false),
            ModelField(
                "module", "Module", .text, "Class", .module,
                help: "A dot stands for the product that the model is part of."),
            ModelField(
                "codeGenerationType", "Codegen", .choice, "Class",
                choices: [
                    ("", "Manual/None"), ("class", "Class Definition"), ("category", "Category/Extension"),
                ]),
            ModelField(
                "coreSpotlightDisplayNameExpression", "Spotlight display name", .expression, "Spotlight"),
        ] + versioning

    private static let attribute =
        [
            name,
            ModelField(
                "attributeType", "Type", .choice, "", .type, choices: typeNames.map { ($0, $0) }),
            ModelField("composite", "Composite type", .composite, "", types: ["Composite"]),
            ModelField("optional", "Optional", .flag, ""),
            ModelField("transient", "Transient", .flag, "", help: "Not stored."),
            ModelField(
                "derived", "Derived", .flag, "", .derived, help: "Computed from other values on save.",
                isShared: false),
            ModelField(
                "derivationExpression", "Derivation", .expression, "",
                help: "For example canonical:(name), orders.@count or now()."),
            ModelField(
                "filteringPredicate", "Filter", .predicate, "",
                help: "Which objects a count or sum is of; all if empty."),
            ModelField(
                "usesScalarValueType", "Use scalar type", .flag, "", .stated("usesScalarValueType"),
                types: scalars),
            ModelField(
                "defaultValue", "Default value", .text, "Value",
                .dated("defaultValueString", "defaultDateTimeInterval"), types: withDefault,
                help: "Booleans YES or NO, dates as 2024-05-01 or 2024-05-01T10:20:30Z."),
            ModelField(
                "minimum", "Minimum", .text, "Value", .dated("minValueString", "minDateTimeInterval"),
                types: numbers + ["Date", "String"], help: "Of text its length."),
            ModelField(
                "maximum", "Maximum", .text, "Value", .dated("maxValueString", "maxDateTimeInterval"),
                types: numbers + ["Date", "String"], help: "Of text its length."),
            ModelField("regularExpressionString", "Regular expression", .pattern, "Value", types: ["String"]),
            ModelField(
                "valueTransformerName", "Value transformer", .text, "Value", types: ["Transformable"],
                help: "NSSecureUnarchiveFromData, or the name of a transformer of yours."),
            ModelField(
                "customClassName", "Custom class", .text, "Value", .customClass, types: ["Transformable"]),
            ModelField(
                "customModule", "Module", .text, "Value", .customModule, types: ["Transformable"],
                help: "Of the custom class. A dot stands for the product that the model is part of."),
            ModelField(
                "allowsExternalBinaryDataStorage", "Allows external storage", .flag, "Storage",
                types: ["Binary", "Transformable"]),
            ModelField("allowsCloudEncryption", "Allows cloud encryption", .flag, "Storage"),
            ModelField(
                "preserveAfterDeletion", "Preserve after deletion", .flag, "Storage",
                help: "The value stays in the history's tombstones."),
            ModelField("spotlightIndexingEnabled", "Index in Spotlight", .flag, "Storage"),
            ModelField("storedInTruthFile", "Store in external record", .flag, "Storage"),
            ModelField("indexed", "Indexed", .flag, "Storage", help: "Deprecated: fetch indexes say more."),
        ] + versioning

    private static let relationship =
        [
            name,
            ModelField("destinationEntity", "Destination", .entity, "", .destination),
            ModelField("inverseName", "Inverse", .inverse, "", .inverse, isShared: false),
            ModelField("toMany", "To-many", .flag, "", .toMany),
            ModelField("ordered", "Ordered", .flag, ""),
            ModelField(
                "deletionRule", "Delete rule", .choice, "", .attribute("deletionRule"),
                choices: [
                    ("Nullify", "Nullify"), ("Cascade", "Cascade"), ("Deny", "Deny"),
                    ("No Action", "No Action"),
                ], help: "What becomes of the objects on the other side when this one is deleted."),
            ModelField("optional", "Optional", .flag, ""),
            ModelField("transient", "Transient", .flag, ""),
            ModelField("minCount", "Minimum count", .number, "Count"),
            ModelField(
                "maxCount", "Maximum count", .number, "Count",
                help: "Of a to-many relationship; empty for any."),
            ModelField("spotlightIndexingEnabled", "Index in Spotlight", .flag, "Storage"),
            ModelField("storedInTruthFile", "Store in external record", .flag, "Storage"),
        ] + versioning

    private static let fetchedProperty =
        [
            name,
            ModelField("destinationEntity", "Destination", .entity, "", .request("entity")),
            ModelField(
                "predicateString", "Predicate", .predicate, "", .request("predicateString"),
                help: "$FETCH_SOURCE is the object that has the property."),
            ModelField("optional", "Optional", .flag, ""),
        ] + versioning

    private static let fetchRequest = [
        name,
        ModelField("entity", "Entity", .entity, ""),
        ModelField("predicateString", "Predicate", .predicate, "", help: "$NAME is a variable."),
        ModelField(
            "resultType", "Result type", .choice, "Result",
            choices: [
                ("", "Objects"), ("1", "Object IDs"), ("2", "Dictionaries"), ("4", "Count"),
            ]),
        ModelField("fetchLimit", "Fetch limit", .number, "Result"),
        ModelField("fetchBatchSize", "Batch size", .number, "Result"),
        ModelField(
            "includeSubentities", "Include subentities", .flag, "Options",
            .flag("includeSubentities", absent: true)),
        ModelField(
            "includePropertyValues", "Include property values", .flag, "Options",
            .flag("includePropertyValues", absent: true)),
        ModelField(
            "includePendingChanges", "Include pending changes", .flag, "Options",
            .flag("includePendingChanges", absent: true)),
        ModelField(
            "returnObjectsAsFaults", "Return objects as faults", .flag, "Options",
            .flag("returnObjectsAsFaults", absent: true)),
        ModelField("returnDistinctResults", "Distinct results", .flag, "Options"),
    ]

    private static let configuration = [
        name, ModelField("usedWithCloudKit", "Used with CloudKit", .flag, ""),
    ]

    private static let fetchIndex = [
        name, ModelField("partialIndexPredicate", "Partial index predicate", .predicate, ""),
    ]

    private static let fetchIndexElement = [
        ModelField("property", "Property", .property, "", isShared: false),
        ModelField(
            "expression", "Expression", .expression, "", help: "Instead of a property.", isShared: false),
        ModelField(
            "expressionType", "Expression's type", .choice, "",
            choices: typeNames.filter { $0 != "Composite" }.map { ($0, $0) }),
        ModelField("type", "Index type", .choice, "", choices: [("Binary", "Binary"), ("RTree", "R-Tree")]),
        ModelField(
            "order", "Order", .choice, "",
            choices: [("ascending", "Ascending"), ("descending", "Descending")]),
    ]
}
