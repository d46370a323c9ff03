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
        try Self.check(depth, of: "a predicate")
        switch tree {
        case .constant(let value):
            return archive.object(
                [value ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate", "NSObject"], fields: [])
        case .not(let part): return try compound(0, parts: [part], depth: depth)
        case .and(let parts): return try compound(1, parts: parts, depth: depth)
        case .or(let parts): return try compound(2, parts: parts, depth: depth)
        case .comparison(let comparison): return try self.comparison(comparison, depth: depth)
        case .block: throw ArchiveFailure("a predicate made of a closure can't be archived")
        }
    }

    private func compound(_ type: Int64, parts: [PredicateTree], depth: Int) throws -> PropertyList {
        try archive.object(
            ["NSCompoundPredicate", "NSPredicate", "NSObject"],
            fields: [
                .init("NSCompoundPredicateType", value: .integer(type)),
                .init(
                    "NSSubpredicates", value: archive.array(parts.map { try predicate($0, depth: depth + 1) })
                ),
            ])
    }

    private func comparison(_ comparison: PredicateTree.Comparison, depth: Int) throws -> PropertyList {
        try archive.object(
            ["NSComparisonPredicate", "NSPredicate", "NSObject"],
            fields: [
                .init("NSLeftExpression", value: expression(comparison.left, depth: depth + 1)),
                .init("NSRightExpression", value: expression(comparison.right, depth: depth + 1)),
                .init("NSPredicateOperator", value: operation(comparison)),
            ])
    }

    private func operation(_ comparison: PredicateTree.Comparison) -> PropertyList {
        let root = ["NSPredicateOperator", "NSObject"]
        let options = PropertyList.integer(Int64(comparison.options.rawValue))
        let flags = PropertyList.Entry("NSFlags", value: options)
        var fields: [PropertyList.Entry] = [
            .init("NSModifier", value: .integer(Int64(comparison.modifier.rawValue))),
            .init("NSOperatorType", value: .integer(Int64(comparison.op.rawValue))),
        ]
        func object(_ classes: [String], _ more: PropertyList.Entry...) -> PropertyList {
            fields += more
            return archive.object(classes + root, fields: fields)
        }
        let matching = ["NSMatchingPredicateOperator", "NSStringPredicateOperator"]
        let substring = ["NSSubstringPredicateOperator", "NSStringPredicateOperator"]
        switch comparison.op {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            return object(
                ["NSComparisonPredicateOperator"],
                .init("NSVariant", value: .integer(Int64(comparison.op.rawValue))),
                .init("NSOptions", value: options))
        case .equalTo, .notEqualTo:
            return object(
                ["NSEqualityPredicateOperator"],
                .init("NSNegate", value: .bool(comparison.op == .notEqualTo)),
                .init("NSOptions", value: options))
        case .matches: return object(matching, flags)
        case .like: return object(["NSLikePredicateOperator"] + matching, flags)
        case .beginsWith:
            return object(substring, .init("NSSubstringPosition", value: .integer(0)), flags)
        case .endsWith:
            return object(substring, .init("NSSubstringPosition", value: .integer(1)), flags)
        case .in, .contains: return object(["NSInPredicateOperator"], flags)
        case .between: return object(["NSBetweenPredicateOperator"], flags)
        case .customSelector:
            return object(
                ["NSCustomPredicateOperator"],
                .init("NSSelectorName", value: archive.string(comparison.customSelector)),
                flags)
        }
    }
}
