// The XML attributes that Xcode writes, by element. Docs/ModelFiles.md says what is accepted as the text of each.

enum SourceVocabulary {
    /// The version of the document that the reader knows.
    static let documentVersion = 1.0

    static let attributes: [String: Set<String>] = [
        "model": [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
            "sourceLanguage", "userDefinedModelVersionIdentifier", "name", "macOSVersion", "iOSVersion",
            "tvOSVersion", "watchOSVersion", "visionOSVersion", "usedWithCloudKit", "usedWithSwiftData",
        ],
        "entity": [
            "name", "representedClassName", "parentEntity", "isAbstract", "elementID", "versionHashModifier",
            "syncable", "codeGenerationType", "coreSpotlightDisplayNameExpression",
        ],
        "attribute": property.union([
            "attributeType", "composite", "defaultValueString", "defaultDateTimeInterval", "minValueString",
            "maxValueString", "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
            "derived", "derivationExpression", "filteringPredicate", "usesScalarValueType",
            "valueTransformerName", "customClassName", "allowsExternalBinaryDataStorage",
            "preserveAfterDeletion", "allowsCloudEncryption",
        ]),
        "relationship": property.union([
            "toMany", "minCount", "maxCount", "deletionRule", "ordered", "destinationEntity", "inverseName",
            "inverseEntity",
        ]),
        "fetchedProperty": property,
        "fetchRequest": [
            "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
            "includeSubentities", "includePropertyValues", "includePendingChanges", "returnObjectsAsFaults",
            "returnDistinctResults",
        ],
        "fetchIndex": ["name", "partialIndexPredicate"],
        "fetchIndexElement": ["property", "name", "expression", "expressionType", "type", "order"],
        "constraint": ["value"], "index": ["value"], "entry": ["key", "value"],
        "configuration": ["name", "usedWithCloudKit"], "memberEntity": ["name"], "composite": ["name"],
    ]

    /// Those of every kind of property.
    private static let property: Set<String> = [
        "name", "optional", "transient", "indexed", "spotlightIndexingEnabled", "storedInTruthFile",
        "versionHashModifier", "elementID", "syncable",
    ]
}
