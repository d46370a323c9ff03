// Finds everything that is wrong in a model, so that what works on models need not ask.

/// A check of a whole model.
package struct ModelValidator {
    let model: ModelSchema
    let index: ModelIndex
    var problems: [ModelProblem] = []

    /// All problems: what the reader of a source remarked, then what is wrong, in the order of the model.
    package static func problems(in model: ModelSchema) -> [ModelProblem] {
        var validator = ModelValidator(model: model, index: ModelIndex(model))
        validator.problems = model.source?.remarks ?? []
        validator.checkNames()
        for entity in model.entities { validator.check(entity) }
        validator.checkConfigurations()
        validator.checkTemplates()
        return validator.problems
    }

    mutating func add(
        _ severity: ModelProblem.Severity, message: String, entity: EntitySchema? = nil,
        property: String? = nil
    ) {
        problems.append(ModelProblem(severity, message: message, entity: entity?.name, property: property))
    }

    /// A letter or underscore, then letters, digits and underscores.
    static func isName(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private mutating func checkNames() {
        var seen: Set<String> = []
        for entity in model.entities {
            if !Self.isName(entity.name) {
                add(.error, message: "\"\(entity.name)\" is no name for an entity", entity: entity)
            }
            if !seen.insert(entity.name).inserted {
                add(.error, message: "another entity has the same name", entity: entity)
            }
        }
    }

    private mutating func check(_ entity: EntitySchema) {
        checkInheritance(of: entity)
        var seen: Set<String> = []
        for property in entity.properties {
            if !Self.isName(property.name) {
                add(
                    .error, message: "\"\(property.name)\" is no name for a property", entity: entity,
                    property: property.name)
            }
            if !seen.insert(property.name).inserted {
                add(
                    .error, message: "another property of the entity has the same name", entity: entity,
                    property: property.name)
            }
            check(property, of: entity)
        }
        checkConstraints(of: entity)
        checkIndexes(of: entity)
        checkRenaming(of: entity)
    }

    private mutating func checkInheritance(of entity: EntitySchema) {
        guard let parent = entity.superentityName else { return }
        guard index.entity(parent) != nil else {
            return add(.error, message: "the superentity \"\(parent)\" does not exist", entity: entity)
        }
        var seen: Set<String> = [entity.name]
        var next: String? = parent
        while let name = next, let ancestor = index.entity(name)?.schema {
            guard seen.insert(name).inserted else {
                return add(.error, message: "the entity inherits from itself", entity: entity)
            }
            let names = Set(ancestor.properties.map(\.name))
            for property in entity.properties where names.contains(property.name) {
                add(
                    .error,
                    message: "\"\(name)\", from which the entity inherits, has a property of the same name",
                    entity: entity, property: property.name)
            }
            next = ancestor.superentityName
        }
    }

    private mutating func checkRenaming(of entity: EntitySchema) {
        var seen: Set<String> = []
        for property in entity.properties {
            if !seen.insert(property.renamingIdentifier ?? property.name).inserted {
                add(
                    .warning, message: "another property has the same renaming identifier", entity: entity,
                    property: property.name)
            }
        }
    }

    private mutating func checkConfigurations() {
        var seen: Set<String> = []
        for configuration in model.configurations {
            if !seen.insert(configuration.name).inserted {
                add(.error, message: "two configurations are named \"\(configuration.name)\"")
            }
            for name in configuration.entityNames where index.entity(name) == nil {
                add(
                    .error,
                    message:
                        "configuration \"\(configuration.name)\" names the entity \"\(name)\", which does not exist"
                )
            }
        }
    }

    private mutating func checkTemplates() {
        var seen: Set<String> = []
        for template in model.fetchTemplates {
            if !seen.insert(template.name).inserted {
                add(.error, message: "two fetch request templates are named \"\(template.name)\"")
            }
            if index.entity(template.request.entityName) == nil {
                let name = template.request.entityName
                add(
                    .error,
                    message:
                        "fetch request template \"\(template.name)\" names the entity \"\(name)\", which does not exist"
                )
            }
        }
    }
}
