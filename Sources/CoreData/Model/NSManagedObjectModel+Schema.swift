// The model as a value, for the layers below.

package import CoreDataSchema
import Foundation

extension NSManagedObjectModel {
    /// A model with everything that the value says.
    package convenience init(schema: ModelSchema) {
        self.init()
        ModelBuilder(schema).fill(self)
    }

    /// The model as a value. Kept once the model is in use, made anew at each call before.
    package final var schema: ModelSchema { frozen?.schema ?? ModelSchema(self) }

    /// Look-ups over the model as a value. Kept once the model is in use.
    package final var index: ModelIndex { frozen?.index ?? ModelIndex(ModelSchema(self)) }
}

extension NSEntityDescription {
    /// Leads relationships that come from another model's copy of an entity to this model's entities.
    func relink(in model: [String: NSEntityDescription]) {
        for property in ownProperties { (property as? NSRelationshipDescription)?.relink(in: model) }
    }
}
