// The expressions that mapping models are made of, as Apple's compiler of mapping models writes them.

package import CoreDataPredicate
import CoreDataSupport

/// The methods of a migration manager that expressions of mapping models call.
package enum MappingFunction {
    package static let destinations = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    package static let sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    package static let relationshipDestinations =
        "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    package static let fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
    package static let sourceEntity = "sourceEntityForEntityMapping:"
    package static let destinationEntity = "destinationEntityForEntityMapping:"
    package static let association = "associateSourceInstance:withDestinationInstance:forEntityMapping:"
}

extension EntityMappingSchema {
    /// `CarToCar`; a mapping of one entity only is called like it.
    package static func name(source: String?, destination: String?) -> String {
        guard let source else { return destination ?? "" }
        return destination.map { "\(source)To\($0)" } ?? source
    }

    /// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", entity, predicate),
    /// $manager.sourceContext, NO)`
    package static func sourceExpression(of entity: String, where predicate: String = "TRUEPREDICATE")
        -> ExpressionTree
    {
        .fetchRequest(
            request: .function(
                operand: .variable("manager"), name: MappingFunction.fetchRequest,
                arguments: [.constant(.string(entity)), .constant(.string(predicate))]),
            context: .keyPath(.variable("manager"), "sourceContext"), countOnly: false)
    }
}

extension PropertyMappingSchema {
    /// `$source.path`
    package static func sourceValue(_ path: String) -> ExpressionTree {
        .keyPath(.variable("source"), path)
    }

    /// Returns an expression for the objects that another mapping made of those at a path of the source:
    /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", mapping, $source.path)`
    package static func destinations(of path: String, by mapping: String) -> ExpressionTree {
        .function(
            operand: .variable("manager"), name: MappingFunction.destinations,
            arguments: [.constant(.string(mapping)), sourceValue(path)])
    }

    /// Returns an expression for the objects that all mappings made of those in a relationship of the source,
    /// which may be of several entities.
    package static func destinations(ofRelationship name: String) -> ExpressionTree {
        .function(
            operand: .variable("manager"), name: MappingFunction.relationshipDestinations,
            arguments: [.constant(.string(name)), sourceValue(name)])
    }
}
