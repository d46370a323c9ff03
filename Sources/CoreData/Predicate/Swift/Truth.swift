// Yes, no and nil of Swift's logic in a language that has only yes and no.

import CoreDataPredicate
import CoreDataSupport

/// When a Swift expression of type `Bool` or `Bool?` is true, false and nil. An object for which none of them holds is one
/// for which the evaluation throws, as by the unwrapping of nil.
struct Truth {
    let holds: PredicateTree
    let fails: PredicateTree
    let isNil: PredicateTree
    let canThrow: Bool

    /// An expression that is never nil and never throws.
    init(_ holds: PredicateTree) {
        self.init(holds: holds, fails: .none(holds), isNil: .never, canThrow: false)
    }

    init(holds: PredicateTree, fails: PredicateTree, isNil: PredicateTree = .never, canThrow: Bool) {
        self.holds = holds
        self.fails = fails
        self.isNil = isNil
        self.canThrow = canThrow
    }

    init(_ value: Bool?) {
        holds = .constant(value == true)
        fails = .constant(value == false)
        isNil = .constant(value == nil)
        canThrow = false
    }

    /// Returns a truth whose evaluation throws unless all of these hold.
    func guarded(by guards: [PredicateTree]) -> Truth {
        if guards.isEmpty { return self }
        return Truth(
            holds: .all(guards + [holds]), fails: .all(guards + [fails]), isNil: .all(guards + [isNil]),
            canThrow: true)
    }

    static prefix func ! (truth: Truth) -> Truth {
        Truth(holds: truth.fails, fails: truth.holds, isNil: truth.isNil, canThrow: truth.canThrow)
    }

    /// The right side isn't evaluated where the left side decides.
    static func && (left: Truth, right: Truth) -> Truth {
        let holds = PredicateTree.all([left.holds, right.holds])
        guard left.canThrow || right.canThrow else { return Truth(holds) }
        return Truth(
            holds: holds, fails: .any([left.fails, .all([left.holds, right.fails])]), canThrow: true)
    }

    static func || (left: Truth, right: Truth) -> Truth {
        guard left.canThrow || right.canThrow else { return Truth(.any([left.holds, right.holds])) }
        return Truth(
            holds: .any([left.holds, .all([left.fails, right.holds])]),
            fails: .all([left.fails, right.fails]), canThrow: true)
    }

    /// `left ?? right`
    static func ?? (left: Truth, right: Truth) -> Truth {
        let holds = PredicateTree.any([left.holds, .all([left.isNil, right.holds])])
        let isNil = PredicateTree.all([left.isNil, right.isNil])
        guard left.canThrow || right.canThrow || isNil != .never else { return Truth(holds) }
        return Truth(
            holds: holds, fails: .any([left.fails, .all([left.isNil, right.fails])]), isNil: isNil,
            canThrow: left.canThrow || right.canThrow)
    }

    /// Returns whether both are true, both false or both nil.
    static func == (left: Truth, right: Truth) -> Truth {
        let holds = PredicateTree.any([
            .all([left.holds, right.holds]), .all([left.fails, right.fails]),
            .all([left.isNil, right.isNil]),
        ])
        guard left.canThrow || right.canThrow else { return Truth(holds) }
        let fails = PredicateTree.any([
            .all([left.holds, .any([right.fails, right.isNil])]),
            .all([left.fails, .any([right.holds, right.isNil])]),
            .all([left.isNil, .any([right.holds, right.fails])]),
        ])
        return Truth(holds: holds, fails: fails, canThrow: true)
    }

    /// `test ? yes : no`
    static func choice(_ test: Truth, yes: Truth, no: Truth) -> Truth {
        Truth(
            holds: .any([.all([test.holds, yes.holds]), .all([test.fails, no.holds])]),
            fails: .any([.all([test.holds, yes.fails]), .all([test.fails, no.fails])]),
            isNil: .any([.all([test.holds, yes.isNil]), .all([test.fails, no.isNil])]),
            canThrow: test.canThrow || yes.canThrow || no.canThrow)
    }
}

// Compounds without the parts that decide nothing.
extension PredicateTree {
    static let always = PredicateTree.constant(true)
    static let never = PredicateTree.constant(false)

    static func all(_ parts: [PredicateTree]) -> PredicateTree {
        let rest = parts.filter { $0 != .always }
        if rest.contains(.never) { return .never }
        return rest.count == 1 ? rest[0] : rest.isEmpty ? .always : .and(rest)
    }

    static func any(_ parts: [PredicateTree]) -> PredicateTree {
        let rest = parts.filter { $0 != .never }
        if rest.contains(.always) { return .always }
        return rest.count == 1 ? rest[0] : rest.isEmpty ? .never : .or(rest)
    }

    static func none(_ part: PredicateTree) -> PredicateTree {
        switch part {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        default: .not(part)
        }
    }

    static func compare(
        _ left: ExpressionTree, op: ComparisonOperator, right: ExpressionTree,
        options: ComparisonOptions = [], modifier: ComparisonModifier = .direct
    ) -> PredicateTree {
        .comparison(Comparison(left, op: op, right: right, modifier: modifier, options: options))
    }
}
