// Parts of a model that CloudKit has no room for, where the model or a configuration is used with it.

extension ModelChecker {
    mutating func checkCloudKit() {
        let configurations = root.children("configuration")
        for configuration in configurations { checkBorders(of: configuration) }
        let names = configurations.filter { $0.flag("usedWithCloudKit") }.flatMap(\.memberNames)
        let entities =
            root.flag("usedWithCloudKit")
            ? family.entities : family.entities.filter { names.contains($0.title) }
        for entity in entities { checkCloudKit(entity) }
    }

    private mutating func checkCloudKit(_ entity: ModelNode) {
        if !entity.constraints.isEmpty {
            add(.warning, node: entity, field: "constraints", message: "CloudKit doesn't keep values unique.")
        }
        for property in entity.properties {
            switch property.name {
            case "attribute": checkCloudKit(attribute: property, in: entity)
            case "relationship": checkCloudKit(relationship: property, in: entity)
            default: break
            }
        }
    }

    private mutating func checkCloudKit(attribute: ModelNode, in entity: ModelNode) {
        if attribute.flag("transient") { return }
        if ["Undefined", "ObjectID"].contains(attribute.attributeType) {
            add(
                .warning, node: attribute, field: "attributeType",
                message: "CloudKit has no values of the type \(attribute.attributeType).", in: entity)
        }
        let hasDefault = attribute["defaultValueString"] != nil || attribute["defaultDateTimeInterval"] != nil
        if !attribute.flag("optional"), !hasDefault {
            add(
                .warning, node: attribute, field: "optional",
                message: "With CloudKit an attribute must be optional or have a default value.", in: entity)
        }
    }

    private mutating func checkCloudKit(relationship: ModelNode, in entity: ModelNode) {
        if !relationship.flag("optional") {
            add(
                .warning, node: relationship, field: "optional",
                message: "With CloudKit a relationship must be optional.",
                in: entity)
        }
        if (relationship["inverseName"] ?? "").isEmpty {
            add(
                .warning, node: relationship, field: "inverseName",
                message: "With CloudKit a relationship must have an inverse.",
                in: entity)
        }
        if relationship["deletionRule"] == "Deny" {
            add(
                .warning, node: relationship, field: "deletionRule",
                message: "CloudKit doesn't support Deny.", in: entity)
        }
        if relationship.flag("ordered") {
            add(
                .warning, node: relationship, field: "ordered",
                message: "CloudKit doesn't keep the order of a relationship.",
                in: entity)
        }
    }

    /// Relationships don't lead out of a configuration: with CloudKit, or where each has a store of its own.
    private mutating func checkBorders(of configuration: ModelNode) {
        guard configuration.flag("usedWithCloudKit") else { return }
        let names = Set(configuration.memberNames)
        for entity in family.entities where names.contains(entity.title) {
            for property in entity.children("relationship") {
                guard let other = property["destinationEntity"], !names.contains(other) else { continue }
                add(
                    .warning, node: property, field: "destinationEntity",
                    message:
                        "\(other) isn't in the configuration \(configuration.title): with CloudKit no relationship leads out of it.",
                    in: entity)
            }
        }
    }
}

extension ModelNode {
    /// The names of a configuration's entities.
    fileprivate var memberNames: [String] { children("memberEntity").compactMap { $0["name"] } }
}
