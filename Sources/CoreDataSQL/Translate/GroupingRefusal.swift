// Fetches of dictionaries by group that no kind of store answers.

/// A reason for refusing a fetch of dictionaries by group.
package enum GroupingRefusal {
    case havingWithoutGroups
    /// A group is a property of this name that is computed over a group.
    case groupsByFunction(String)
    /// A column of this name is neither grouped by nor computed over a group, so that a group has no one value for it.
    case ungrouped(String)

    /// The reason as errors state it.
    package var reason: String {
        switch self {
        case .havingWithoutGroups: "havingPredicate needs propertiesToGroupBy"
        case .groupsByFunction(let name): "can't group by \(name), which is computed over a group"
        case .ungrouped(let name):
            "with GROUP BY, a fetch can have only properties that it groups by and functions over a group: "
                + "\"\(name)\" is neither"
        }
    }
}
