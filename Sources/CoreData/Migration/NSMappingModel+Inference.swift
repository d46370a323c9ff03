// Mapping models that two models amount to.

import CoreDataSchema
import CoreDataStores
import Foundation

extension NSMappingModel {
    /// Returns the mapping model that the differences of two models amount to.
    ///
    /// Entities and properties are recognised by their names and renaming identifiers.
    ///
    /// - Parameters:
    ///   - sourceModel: the older version.
    ///   - destinationModel: the newer version.
    /// - Throws: `NSInferredMappingModelError` (134190) if some difference needs a mapping model of the
    ///   client's; `entity`, `property` and `reason` in the user info say which.
    public class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        do throws(InferenceRefusal) {
            return NSMappingModel(
                schema: try MappingSchema(inferring: sourceModel.index, to: destinationModel.index))
        } catch {
            throw CoreDataError.make(
                NSInferredMappingModelError,
                description:
                    "No mapping from the source model to the destination model can be inferred: \(error).",
                file: nil, entity: error.entity, property: error.property, reason: error.reason,
                userInfo: ["sourceModel": sourceModel, "destinationModel": destinationModel])
        }
    }
}
