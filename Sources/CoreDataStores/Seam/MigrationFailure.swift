// The reasons that keep a store from being migrated, as errors.

package import CoreDataSQL
package import CoreDataSchema
package import Foundation

/// Words what keeps a store from being migrated.
package enum MigrationFailure {
    package static let sentence = "An error occurred during persistent store migration."

    /// An attribute must have a value, and rows have none.
    package static func missingValue(entity: String, attribute: String, file: URL?) -> NSError {
        inPlace(
            CoreDataError.make(
                ErrorCode.migration, description: sentence, file: nil, entity: entity, property: attribute,
                reason: "Validation error missing attribute values on mandatory destination attribute",
                userInfo: ["attribute": attribute]), file: file)
    }

    /// A number doesn't fit its attribute's newer type.
    package static func misfit(
        entity: String, attribute: String, value: String, object: URL?, _ conversion: NumericConversion
    ) -> NSError {
        var userInfo: [String: Any] = ["attribute": attribute, "value": value]
        userInfo["object"] = object
        let place = object.map { " of \($0.absoluteString)" } ?? ""
        return CoreDataError.make(
            ErrorCode.migration, description: sentence, file: nil, entity: entity, property: attribute,
            reason:
                "The value \(value)\(place) doesn't fit \(entity).\(attribute), which is \(conversion.destination) now "
                + "(\(conversion.source) before)", userInfo: userInfo)
    }

    /// Throws what keeps a plan from being carried out on a store's rows, if anything does.
    ///
    /// - Parameters:
    ///   - unmet: the first condition that rows don't meet.
    ///   - misfit: finds the first number that doesn't fit. Asked only where all conditions are met.
    package static func check(
        unmet: MigrationPlan.Check?,
        misfit: () throws -> (fit: MigrationPlan.Fit, key: Int64, value: SQLBinding)?,
        of store: String, file: URL
    ) throws {
        if let unmet { throw missingValue(entity: unmet.entity, attribute: unmet.attribute, file: file) }
        guard let (fit, key, value) = try misfit() else { return }
        let object = URL(string: "x-coredata://\(store)/\(fit.source)/p\(key)")
        throw inPlace(
            Self.misfit(
                entity: fit.entity, attribute: fit.attribute, value: value.shown, object: object,
                fit.conversion), file: file)
    }

    /// The error of a migration that an error below made fail.
    package static func inPlace(_ error: NSError, file: URL?) -> NSError {
        var userInfo = error.userInfo
        userInfo[NSLocalizedDescriptionKey] = nil
        return CoreDataError.make(
            ErrorCode.migration, description: sentence, file: file,
            entity: error.userInfo[CoreDataError.Key.entity] as? String,
            property: error.userInfo[CoreDataError.Key.property] as? String,
            reason: "Cannot migrate store in-place: "
                + (error.localizedFailureReason ?? error.localizedDescription),
            underlying: error, userInfo: userInfo)
    }
}
