// From a mapping model back to a source that compiles to it.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// States what the compiler wouldn't generate, and nothing else.
struct MappingSourceBuilder {
    private let compiler: MappingCompiler
    private let mapping: MappingSchema

    /// - Parameter content: the two models; its entities don't matter.
    init(_ content: MappingSource, mapping: MappingSchema) throws {
        var content = content
        // All that the compiler needs to know of other mappings.
        content.entities = mapping.entityMappings.map {
            var entity = MappingSource.Entity()
            entity.name = $0.name
            entity.sourceName = $0.sourceEntityName
            entity.destinationName = $0.destinationEntityName
            return entity
        }
        compiler = try MappingCompiler(content)
        self.mapping = mapping
    }

    func entities() throws -> [MappingSource.Entity] {
        mapping.entityMappings.enumerated().map { entity($0.element, number: $0.offset + 1) }
    }

    private func entity(_ mapping: EntityMappingSchema, number: Int) -> MappingSource.Entity {
        var entity = MappingSource.Entity()
        entity.number = number
        entity.sourceName = mapping.sourceEntityName
        entity.destinationName = mapping.destinationEntityName
        let name = EntityMappingSchema.name(source: entity.sourceName, destination: entity.destinationName)
        entity.name = name == mapping.name ? nil : mapping.name
        entity.policyClassName = mapping.policyClassName
        entity.userInfo = mapping.userInfo
        state(mapping.sourceExpression, in: &entity)
        entity.attributes = mapping.attributes.map { property in
            stated(property) { compiler.attributeValue($0, entity: mapping.sourceEntityName) }
        }
        entity.relationships = mapping.relationships.map { property in
            stated(property) { compiler.relationshipValue($0, entity: mapping.sourceEntityName) }
        }
        entity.kind = compiler.kind(of: entity) == mapping.kind ? .undefined : mapping.kind
        return entity
    }

    private func state(_ expression: ExpressionTree?, in entity: inout MappingSource.Entity) {
        if case .fetchRequest(.function(_, MappingFunction.fetchRequest, let arguments), _, false)? =
            expression,
            arguments.count == 2, case .constant(.string(let filter)) = arguments[1],
            filter != "TRUEPREDICATE", !filter.isEmpty
        {
            entity.filter = filter
        }
        if compiler.generatedExpression(of: entity) == expression { return }
        entity.filter = nil
        entity.generatesExpression = false
        entity.expression = expression
    }

    private func stated(
        _ mapping: PropertyMappingSchema, generated: (MappingSource.Property) -> ExpressionTree?
    ) -> MappingSource.Property {
        var property = MappingSource.Property(name: mapping.name)
        property.userInfo = mapping.userInfo
        if generated(property) == mapping.value { return property }
        property.expression = mapping.value
        property.generatesExpression = mapping.value != nil
        return property
    }
}
