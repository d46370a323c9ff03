// Foundation's operators and modifiers as those of trees.

import CoreDataPredicate
import Foundation

extension NSComparisonPredicate.Operator {
    var treeOperator: ComparisonOperator {
        switch self {
        case .lessThan: .lessThan
        case .lessThanOrEqualTo: .lessThanOrEqualTo
        case .greaterThan: .greaterThan
        case .greaterThanOrEqualTo: .greaterThanOrEqualTo
        case .equalTo: .equalTo
        case .notEqualTo: .notEqualTo
        case .matches: .matches
        case .like: .like
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .in: .in
        case .contains: .contains
        case .between: .between
        }
    }

    init(_ treeOperator: ComparisonOperator) {
        switch treeOperator {
        case .lessThan: self = .lessThan
        case .lessThanOrEqualTo: self = .lessThanOrEqualTo
        case .greaterThan: self = .greaterThan
        case .greaterThanOrEqualTo: self = .greaterThanOrEqualTo
        case .equalTo: self = .equalTo
        case .notEqualTo: self = .notEqualTo
        case .matches: self = .matches
        case .like: self = .like
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .in: self = .in
        case .customSelector: self = .equalTo
        case .contains: self = .contains
        case .between: self = .between
        }
    }
}

extension NSComparisonPredicate.Modifier {
    var treeModifier: ComparisonModifier {
        switch self {
        case .direct: .direct
        case .all: .all
        case .any: .any
        }
    }

    init(_ treeModifier: ComparisonModifier) {
        switch treeModifier {
        case .direct: self = .direct
        case .all: self = .all
        case .any: self = .any
        }
    }
}
