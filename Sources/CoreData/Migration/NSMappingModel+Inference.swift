// Mapping models that two models amount to.

import CoreDataSchema
import CoreDataStores
import Foundation

extension NSMappingModel {
    class func inferred(
        from sourceModel: NSManagedObjectModel, to destinationModel: NSManagedObjectModel
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
