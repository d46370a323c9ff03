// Trees of predicates into keyed archives.

package import CoreDataPredicate
package import CoreDataSupport

/// Writes predicates and expressions. Throws `ArchiveFailure` for a closure, which no archive can hold.
package struct ArchivedPredicateWriter {
    let archive: KeyedArchiveWriter
    /// Indicates whether a single key is archived as a path too, as mapping models have it.
    let readsAllKeysAsPaths: Bool

    package init(_ archive: KeyedArchiveWriter, readsAllKeysAsPaths: Bool = false) {
        self.archive = archive
        self.readsAllKeysAsPaths = readsAllKeysAsPaths
    }

    package func predicate(_ tree: PredicateTree) throws -> PropertyList {
        try predicate(tree, depth: 0)
    }

    package func expression(_ tree: ExpressionTree) throws -> PropertyList {
        try expression(tree, depth: 0)
    }

    func predicate(_ tree: PredicateTree, depth: Int) throws -> PropertyList {
        guard depth < ArchivedPredicateReader.depthLimit else {
            throw ArchiveFailure("a predicate is nested too deep")
        }
        switch tree {
        case .constant(let value):
            return archive.object(
                [value ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate", "NSObject"], [])
        case .not(let part): return try compound(0, [part], depth)
        case .and(let parts): return try compound(1, parts, depth)
        case .or(let parts): return try compound(2, parts, depth)
        case .comparison(let comparison): return try self.comparison(comparison, depth)
        case .block: throw ArchiveFailure("a predicate made of a closure can't be archived")
        }
    }

    private func compound(_ type: Int64, _ parts: [PredicateTree], _ depth: Int) throws -> PropertyList {
        try archive.object(
            ["NSCompoundPredicate", "NSPredicate", "NSObject"],
            [
                .init("NSCompoundPredicateType", .integer(type)),
                .init("NSSubpredicates", archive.array(parts.map { try predicate($0, depth: depth + 1) })),
            ])
    }

    private func comparison(_ comparison: PredicateTree.Comparison, _ depth: Int) throws -> PropertyList {
        try archive.object(
            ["NSComparisonPredicate", "NSPredicate", "NSObject"],
            [
                .init("NSLeftExpression", expression(comparison.left, depth: depth + 1)),
                .init("NSRightExpression", expression(comparison.right, depth: depth + 1)),
                .init("NSPredicateOperator", operation(comparison)),
            ])
    }

    private func operation(_ comparison: PredicateTree.Comparison) -> PropertyList {
        let root = ["NSPredicateOperator", "NSObject"]
        let options = PropertyList.integer(Int64(comparison.options.rawValue))
        var fields: [PropertyList.Entry] = [
            .init("NSModifier", .integer(Int64(comparison.modifier.rawValue))),
            .init("NSOperatorType", .integer(Int64(comparison.op.rawValue))),
        ]
        func object(_ classes: [String], _ more: PropertyList.Entry...) -> PropertyList {
            fields += more
            return archive.object(classes + root, fields)
        }
        let matching = ["NSMatchingPredicateOperator", "NSStringPredicateOperator"]
        let substring = ["NSSubstringPredicateOperator", "NSStringPredicateOperator"]
        switch comparison.op {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            return object(
                ["NSComparisonPredicateOperator"],
                .init("NSVariant", .integer(Int64(comparison.op.rawValue))),
                .init("NSOptions", options))
        case .equalTo, .notEqualTo:
            return object(
                ["NSEqualityPredicateOperator"], .init("NSNegate", .bool(comparison.op == .notEqualTo)),
                .init("NSOptions", options))
        case .matches: return object(matching, .init("NSFlags", options))
        case .like: return object(["NSLikePredicateOperator"] + matching, .init("NSFlags", options))
        case .beginsWith:
            return object(substring, .init("NSSubstringPosition", .integer(0)), .init("NSFlags", options))
        case .endsWith:
            return object(substring, .init("NSSubstringPosition", .integer(1)), .init("NSFlags", options))
        case .in, .contains: return object(["NSInPredicateOperator"], .init("NSFlags", options))
        case .between: return object(["NSBetweenPredicateOperator"], .init("NSFlags", options))
        case .customSelector:
            return object(
                ["NSCustomPredicateOperator"],
                .init("NSSelectorName", archive.string(comparison.customSelector)), .init("NSFlags", options))
        }
    }
}
