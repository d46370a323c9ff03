// A derived attribute of rows in memory: what it is computed from.

package import CoreDataPredicate
package import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// A derived attribute, by the entity that declares it.
package struct MemoryDerivation {
    package let entity: EntityRuntime
    package let name: String
    package let source: Derivation
    /// The filter of the members that count.
    package let filter: PredicateTree?
    /// The relationships from the row to those that the value is from.
    package let path: [RelationRuntime]

    package var isNow: Bool { source == .now }

    /// The attribute at the end of the path, or the element of a composite one; `nil` where there is none.
    package let attribute: String?

    /// The derived attributes of a model. Throws `LayoutFailure` for one of a form that no store computes.
    package static func all(in model: ModelRuntime) throws -> [MemoryDerivation] {
        try model.runtimes.flatMap { entity in
            let declaring = model.index.entity(entity.name)?.declaringEntity ?? [:]
            return try entity.properties.map(\.schema).compactMap {
                (property: PropertySchema) throws -> MemoryDerivation? in
                guard declaring[property.name] == entity.name, !property.isTransient,
                    let schema = property.attribute?.derivation
                else { return nil }
                return try MemoryDerivation(property.name, schema: schema, entity: entity)
            }
        }
    }

    private init(_ name: String, schema: DerivationSchema, entity: EntityRuntime) throws {
        func failure(_ reason: String) -> LayoutFailure {
            LayoutFailure(
                entity: entity.name, property: name,
                "unsupported feature: a store can't keep this derived attribute up to date: \(reason)")
        }
        guard let source = Derivation(schema.expression) else {
            throw failure("its expression is \"\(schema.expression.format)\"")
        }
        (self.entity, self.name, self.source, filter) = (entity, name, source, schema.filter)
        var here = entity
        var path: [RelationRuntime] = []
        var (steps, last) = Self.steps(of: source)
        while let key = steps.first {
            if !key.isToMany, case .composite? = here.property(key.name)?.kind {
                last = (steps.map(\.name) + [last].compactMap(\.self)).joined(separator: ".")
                break
            }
            guard let relation = here.property(key.name)?.relation, relation.isToMany == key.isToMany else {
                throw failure(
                    "\"\(key.name)\" is no \(key.isToMany ? "to-many" : "to-one") relationship of \(here.name)"
                )
            }
            path.append(relation)
            here = relation.destination(in: entity.modelRuntime)
            steps.removeFirst()
        }
        (self.path, attribute) = (path, last)
        guard let last else { return }
        guard let slot = here.layout.slot(named: last), slot.attribute != nil, !slot.isTransient,
            !(path.isEmpty && last == name)
        else { throw failure("\"\(last)\" is no other attribute of \(here.name)") }
    }

    /// The relationships that an expression names, and what it takes from the rows at their end.
    private static func steps(of source: Derivation) -> ([(name: String, isToMany: Bool)], String?) {
        switch source {
        case .now: ([], nil)
        case .value(let path, _): (path.dropLast().map { ($0, false) }, path.last)
        case .aggregate(let relationship, let sum): ([(relationship, true)], sum)
        }
    }
}
