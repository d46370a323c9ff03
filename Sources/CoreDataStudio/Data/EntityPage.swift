// An entity as the pages need to know it: columns, fields, sections.

import CoreData
import StoreTools

/// Describes entities.
enum EntityPage {
    /// In the tree of entities.
    static func summary(_ entity: NSEntityDescription) -> StudioValue {
        [
            "name": .text(entity.name ?? ""), "isAbstract": .bool(entity.isAbstract),
            "parent": .optional(entity.superentity?.name),
            "children": .texts(entity.subentities.compactMap(\.name).sorted()),
            "help": .optional(entity.rules.help),
        ]
    }

    /// With all that grid and editor need.
    static func value(_ entity: NSEntityDescription) -> StudioValue {
        let properties = entity.shownProperties
        return summary(entity)
            .with("titleKey", value: .optional(entity.titleKey))
            .with(
                "attributes", value: .list(properties.compactMap { $0 as? NSAttributeDescription }.map(field))
            )
            .with(
                "relationships",
                value: .list(properties.compactMap { $0 as? NSRelationshipDescription }.map(relationship))
            )
            .with(
                "reports",
                value: .list(properties.compactMap { $0 as? NSFetchedPropertyDescription }.map(report))
            )
            .with("templates", value: .list(templates(entity)))
            .with("searchable", value: .list(searchable(entity)))
            .with("columns", value: .texts(GridColumn.standard(for: entity).map(\.key)))
            .with("creates", value: .texts(concrete(entity).compactMap(\.name).sorted()))
    }

    private static func searchable(_ entity: NSEntityDescription) -> [StudioValue] {
        GridSearch.columns(of: entity).map {
            ["key": .text($0.column.key), "label": .text($0.label), "isStandard": .bool($0.isStandard)]
        }
    }

    /// The entities that objects can be made of where this one is asked for.
    static func concrete(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        (entity.isAbstract ? [] : [entity]) + entity.subentities.flatMap(concrete)
    }

    static func field(_ attribute: NSAttributeDescription) -> StudioValue {
        var fields = FieldLimits(attribute).fields
        let rules = attribute.rules
        fields["key"] = .text(attribute.name)
        fields["label"] = .text(attribute.label)
        fields["kind"] = .text(attribute.kind.rawValue)
        fields["type"] = .text(attribute.attributeType.name)
        fields["isInteger"] = .bool(attribute.isInteger)
        fields["isOptional"] = .bool(attribute.isOptional)
        fields["lock"] = .optional(attribute.lock)
        fields["section"] = .optional(rules.section)
        fields["help"] = .optional(rules.help)
        fields["isSortable"] = .bool(attribute.isSortable)
        if attribute.kind == .choice {
            fields["choices"] = .list(
                rules.choices.map { ["value": .text($0.value), "label": .text($0.label)] })
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            fields["elements"] = .list(composite.elements.map(field))
        }
        return .record(fields)
    }

    static func relationship(_ relationship: NSRelationshipDescription) -> StudioValue {
        let destination = relationship.destinationEntity
        return [
            "key": .text(relationship.name), "label": .text(relationship.label),
            "kind": .text(relationship.isToMany ? (relationship.isOrdered ? "ordered" : "toMany") : "toOne"),
            "destination": .text(destination?.name ?? ""), "titleKey": .optional(destination?.titleKey),
            "creates": .texts(destination.map { concrete($0).compactMap(\.name).sorted() } ?? []),
            "isOptional": .bool(relationship.isOptional), "lock": .optional(relationship.lock),
            "section": .optional(relationship.rules.section), "help": .optional(relationship.rules.help),
            "minCount": .integer(relationship.minCount), "maxCount": .integer(relationship.maxCount),
            "deleteRule": .text(rule(relationship.deleteRule)),
        ]
    }

    private static func rule(_ rule: NSDeleteRule) -> String {
        switch rule {
        case .noActionDeleteRule: "no action"
        case .nullifyDeleteRule: "nullify"
        case .cascadeDeleteRule: "cascade"
        case .denyDeleteRule: "deny"
        }
    }

    /// The model's fetch requests that find objects of the entity.
    private static func templates(_ entity: NSEntityDescription) -> [StudioValue] {
        let all = entity.managedObjectModel.fetchRequestTemplatesByName.sorted { $0.key < $1.key }
        return all.compactMap { name, request in
            guard let own = request.entityName.flatMap({ entity.managedObjectModel.entitiesByName[$0] }),
                entity.isKindOf(entity: own)
            else { return nil }
            return ["name": .text(name), "predicate": .text(request.predicate?.formatString ?? "")]
        }
    }

    private static func report(_ property: NSFetchedPropertyDescription) -> StudioValue {
        [
            "key": .text(property.name), "label": .text(property.label),
            "destination": .optional(property.fetchRequest?.entityName),
            "predicate": .optional(property.fetchRequest?.predicate?.formatString),
            "section": .optional(property.rules.section), "help": .optional(property.rules.help),
        ]
    }
}
