// Facts about a model beyond those of Apple's class, for tools that look into models.

import CoreDataSchema

/// Something wrong, or worth a look, in a model.
public struct ModelRemark: Sendable, Hashable {
    /// The entity that it is about, if it is about one.
    public let entity: String?
    /// The property that it is about, if it is about one.
    public let property: String?
    /// One sentence.
    public let message: String
    /// Indicates whether the model can't be used because of it.
    public let isError: Bool
}

extension NSManagedObjectModel {
    /// The faults and remarkable points of the model, in the model's order.
    public var remarks: [ModelRemark] {
        ModelValidator.problems(in: schema).map {
            ModelRemark(
                entity: $0.entity, property: $0.property, message: $0.message, isError: $0.severity == .error)
        }
    }

    /// The entities whose version hash may not be the one that Apple's framework computes, each with the
    /// reason.
    ///
    /// A hash that came with a compiled model or a store is certain.
    public var uncertainVersionHashes: [String: String] {
        versionHashes.compactMapValues { $0.isCertain ? nil : $0.reason ?? "the formula isn't settled" }
    }
}
