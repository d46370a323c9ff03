// One thing that is wrong, or worth a look, in a model.

/// A finding of `ModelValidator`.
package struct ModelProblem: Sendable, Hashable, CustomStringConvertible {
    package enum Severity: Sendable, Hashable {
        /// The model can't be used.
        case error
        /// The model can be used, but Apple's compiler would remark on it.
        case warning
    }

    package let entity: String?
    package let property: String?
    package let severity: Severity
    package let message: String

    package init(_ severity: Severity, message: String, entity: String? = nil, property: String? = nil) {
        self.entity = entity
        self.property = property
        self.severity = severity
        self.message = message
    }

    package var description: String {
        let place = [entity, property].compactMap(\.self).joined(separator: ".")
        return (place.isEmpty ? "" : place + ": ") + message
    }
}
