// A mapping model as its source file states it: most of it left for the compiler to fill in from the two models.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// The contents of a `.xcmappingmodel`.
package struct MappingSource: Sendable, Hashable {
    struct Entity: Sendable, Hashable {
        /// Decides the order.
        var number = 0
        var name: String?
        var kind = EntityMappingSchema.Kind.undefined
        var sourceName: String?
        var destinationName: String?
        var policyClassName: String?
        /// The predicate that objects must satisfy to be migrated.
        var filter: String?
        /// Indicates whether the source expression is to be made of the entity's name and the filter.
        var generatesExpression = true
        var expression: ExpressionTree?
        var userInfo: [Value: Value]?
        var attributes: [Property] = []
        var relationships: [Property] = []
    }

    struct Property: Sendable, Hashable {
        var name: String
        /// Comes before what would be generated.
        var expression: ExpressionTree?
        /// Indicates whether the value is the source's property of the same name, if there is one.
        var generatesExpression = true
        /// `$source.country`: where the objects are that another mapping makes the relationship's objects of.
        var sourceKeyPath: String?
        /// The name of that mapping.
        var sourceMapping: String?
        var userInfo: [Value: Value]?
    }

    /// The path at which the editor that made the file finds the models.
    package var sourcePath: String?
    package var destinationPath: String?
    /// The models, as they were when the file was last saved.
    package let source: ModelSchema
    package let destination: ModelSchema
    var entities: [Entity]

    init(source: ModelSchema, destination: ModelSchema, entities: [Entity] = []) {
        self.source = source
        self.destination = destination
        self.entities = entities
    }
}
