// The attributes that one mapping sets, looked up once for all objects of two entities.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// The way in which each attribute of a mapping gets its value: copied as it is stored, or by evaluating its expression.
///
/// Clients may change a mapping while it is at work, so that a plan is asked before each object if it is still right.
struct AttributePlan {
    private enum Step {
        /// `$source.key`, of an attribute that is stored in the same way.
        case copy(Slot, as: Slot, PropertyRuntime)
        case evaluate(NSPropertyMapping)
    }

    /// A property mapping as it was when the plan was made.
    private struct Stated {
        let property: NSPropertyMapping
        let name: String?
        let expression: NSExpression?

        var isCurrent: Bool { property.valueExpression === expression && property.name == name }
    }

    private let mapping: NSEntityMapping
    private let source: EntityRuntime?
    private let destination: EntityRuntime
    /// Indicates whether the mapping states its attributes; one that copies objects need not.
    private let isStated: Bool
    private let stated: [Stated]
    private let steps: [Step]

    /// - Parameter values: those of an object of the entities that the plan is for.
    init(_ values: MappingValues) {
        mapping = values.mapping
        let (from, to) = (values.source?.runtime, values.destination.runtime)
        source = from
        destination = to
        isStated = mapping.attributeMappings != nil
        stated = values.manager.attributeMappings(of: mapping).map {
            Stated(property: $0, name: $0.name, expression: $0.valueExpression)
        }
        steps = stated.map { stated in
            guard let name = stated.name, let target = to.property(name),
                case .attribute(let slot) = target.kind,
                let tree = stated.expression?.tree,
                case .keyPath(.variable(NSMigrationSourceObjectKey), let key) = tree,
                let former = from?.property(key), case .attribute(let kept) = former.kind,
                kept.kind == slot.kind, Self.isCopied(slot.kind)
            else { return .evaluate(stated.property) }
            return .copy(kept, as: slot, target)
        }
    }

    /// Transformers may differ between the models, and external values are loaded with an error of their own.
    private static func isCopied(_ kind: SlotKind) -> Bool {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .decimal, .string, .uri,
            .uuid, .data:
            true
        case .externalData, .object, .transformable, .toOne, .toOneOfSeveral: false
        }
    }

    /// Returns whether the plan is right for an object, with the mapping as it is now.
    func fits(_ values: MappingValues) -> Bool {
        guard values.mapping === mapping, values.source?.runtime === source,
            values.destination.runtime === destination
        else { return false }
        guard let properties = mapping.attributeMappings else { return !isStated }
        return isStated && properties.count == stated.count
            && zip(properties, stated).allSatisfy { $0 === $1.property && $1.isCurrent }
    }

    /// Sets the attributes of the destination, in the order of their mappings.
    func apply(_ values: MappingValues) throws {
        let (source, destination) = (values.source, values.destination)
        for step in steps {
            switch step {
            case .evaluate(let property): try values.setAttribute(property)
            case .copy(let kept, let slot, let property):
                guard let source else { continue }
                source.prepareToRead(.slot(kept.index))
                destination.change(property) {
                    kept.copy(from: RowPointer(source.row, slab: source.slab), to: destination.row, as: slot)
                }
            }
        }
    }
}
