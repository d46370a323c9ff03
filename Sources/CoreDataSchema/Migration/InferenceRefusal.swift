// The reason why a migration can't be inferred.

/// The rule that forbids it, and where it applies. Names are those of the newer version unless the rule says otherwise.
package struct InferenceRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Rule: Sendable, Hashable {
        /// An attribute's values would have to be converted.
        case attributeType(from: AttributeType, to: AttributeType)
        /// Entities of several inheritance trees would have to share one. Names of the roots, the older ones sorted.
        case mergedRoots(sources: [String], destination: String)
        /// A relationship's destination is another entity than before, and its former one is still there.
        case relationshipDestination(from: String, to: String)
    }

    package var rule: Rule
    package var entity: String
    package var property: String?

    package init(_ rule: Rule, entity: String, property: String? = nil) {
        self.rule = rule
        self.entity = entity
        self.property = property
    }

    /// Indicates whether the rule is one of mapping models. The others are rules of stores: a mapping can be
    /// written down, but rows can't be moved by it.
    package var concernsMapping: Bool {
        if case .mergedRoots = rule { return false }
        return true
    }

    /// The reason, as Apple's framework words it where it is known.
    package var reason: String {
        switch rule {
        case .attributeType: "Source and destination attribute types are incompatible"
        case .mergedRoots:
            "Cannot merge multiple root entity source tables into one destination entity root table"
        case .relationshipDestination: "Source and destination relationship destinations are incompatible"
        }
    }

    package var description: String {
        let place = [entity, property].compactMap(\.self).joined(separator: ".")
        switch rule {
        case .attributeType(let from, let to): return "\(place): \(reason) (\(from), \(to))"
        case .mergedRoots(let sources, let destination):
            let list = sources.map { "\"\($0)\"" }.joined(separator: " and ")
            return "\(place): \(reason) (\(list) into \"\(destination)\")"
        case .relationshipDestination(let from, let to):
            return "\(place): \(reason) (\"\(from)\", \"\(to)\")"
        }
    }
}
