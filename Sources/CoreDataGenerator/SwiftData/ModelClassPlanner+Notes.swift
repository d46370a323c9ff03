// The parts of a model that classes for SwiftData have no words for, each noted by its name.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension ModelClassPlanner {
    /// Templates and configurations.
    mutating func noteModel() {
        for template in index.model.fetchTemplates.sorted(by: { $0.name < $1.name }) {
            add(
                .warning, entity: index.entity(template.request.entityName), property: nil,
                message: "SwiftData has no fetch request templates: \"\(template.name)\" is left out")
        }
        for configuration in index.model.configurations.sorted(by: { $0.name < $1.name }) {
            add(
                .warning, entity: nil, property: nil,
                message:
                    "the configuration \"\(configuration.name)\" is left out: state its classes as the schema of a "
                    + "ModelConfiguration: " + configuration.entityNames.sorted().joined(separator: ", "))
        }
    }

    mutating func note(_ entity: ModelIndex.Entity) {
        let schema = entity.schema
        let className = schema.className?.split(separator: ".").last.map(String.init)
        if let className, className != schema.name, className != "NSManagedObject" {
            add(
                .warning, entity: entity, property: nil,
                message: "the class is called as the entity, and not \(className)")
        }
        if schema.isAbstract {
            add(.warning, entity: entity, property: nil, message: "SwiftData has no abstract entities")
        }
        if let old = schema.renamingIdentifier, old != schema.name {
            add(
                .warning, entity: entity, property: nil,
                message: "a class can't state an original name: that it was called \"\(old)\" is lost")
        }
        if schema.versionHashModifier != nil {
            add(
                .warning, entity: entity, property: nil,
                message: "a class can't state a hash modifier: it is left out")
        }
        if schema.coreSpotlightDisplayNameExpression != nil {
            add(
                .warning, entity: entity, property: nil,
                message: "SwiftData has no display names for Spotlight: it is left out")
        }
        note(schema.userInfo, of: entity, property: nil)
    }

    mutating func note(_ property: PropertySchema, of entity: ModelIndex.Entity) {
        if !property.validation.isEmpty {
            let rules = property.validation.map(\.predicate.format).joined(separator: ", ")
            add(
                .warning, entity: entity, property: property.name,
                message: "SwiftData has no validation rules: \(rules)")
        }
        note(property.userInfo, of: entity, property: property.name)
    }

    private mutating func note(_ userInfo: [Value: Value], of entity: ModelIndex.Entity, property: String?) {
        let keys = userInfo.keys.compactMap { key in
            if case .string(let text) = key, !["documentation", "doc"].contains(text) { text } else { nil }
        }
        if keys.isEmpty { return }
        add(
            .warning, entity: entity, property: property,
            message: "SwiftData has no user info: \(keys.sorted().joined(separator: ", "))"
        )
    }
}
