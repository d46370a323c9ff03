// Optionals and casts of Swift predicates.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

extension PredicateExpressions.ForcedUnwrap: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let term = try scope.term(inner)
        let isThere = PredicateTree.none(term.isNil)
        if case .truth(let truth) = term.content {
            return Term(.truth(truth.guarded(by: [isThere])), guards: term.guards)
        }
        return isThere == .always ? term : term.adding(term.guards + [isThere])
    }
}

extension PredicateExpressions.NilCoalesce: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        if Output.self == Bool.self { return Term(.truth(try scope.truth(lhs) ?? scope.truth(rhs))) }
        let (left, right) = (try scope.term(lhs), try scope.term(rhs))
        let isNil = left.isNil
        if isNil == .never { return left }
        let guards = left.guards + right.guards.map { .any([.none(isNil), $0]) }
        switch (left.content, right.constant) {
        case (.collection(let members), .array([])?), (.collection(let members), .set([])?):
            // Nil has no members in the predicate language.
            return Term(.collection(.init(tree: members.tree, entity: members.entity)), guards: guards)
        case (.value, let value?) where left.nilReads == nil || left.nilReads == value:
            var term = Term(left.content, guards: guards)
            term.nilReads = value
            return term
        case (.collection, _):
            throw UntranslatableExpression(self, why: "a collection can be replaced by an empty one only")
        default:
            return Term(.value(.conditional(isNil, try right.tree(), try left.tree())), guards: guards)
        }
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let whole = try scope.term(wrapped)
        let isNil = whole.isNil
        let isThere = PredicateTree.none(isNil)
        var bare = whole
        bare.guards = []
        if case .object = bare.content { bare.missing = nil }
        let inner = scope.with(variable, term: bare)
        let guards: (Term) -> [PredicateTree] = { whole.guards + $0.guards.map { .any([isNil, $0]) } }
        if RHS.Output.self == Bool.self || RHS.Output.self == Bool?.self {
            let truth = try inner.truth(transform)
            let mapped = Truth(
                holds: .all([isThere, truth.holds]), fails: .all([isThere, truth.fails]),
                isNil: .any([isNil, truth.isNil]), canThrow: truth.canThrow)
            return Term(.truth(mapped), guards: whole.guards)
        }
        let mapped = try inner.term(transform)
        if isNil == .never { return mapped.adding(guards(mapped)) }
        switch mapped.content {
        case .collection(var members):
            members.isNil = .any([isNil, members.isNil])
            return Term(.collection(members), guards: guards(mapped))
        case .object(let tree, _) where try tree.isBehind(whole):
            return Term(mapped.content, guards: guards(mapped))
        case .value(let tree) where try tree.isBehind(whole):
            var term = Term(mapped.content, guards: guards(mapped))
            term.nilReads = mapped.nilReads
            if mapped.nilReads != nil { term.missing = .any([isNil, mapped.missing ?? .never]) }
            return term
        case .order:
            throw UntranslatableExpression(self, why: "an order of optional strings")
        default:
            return Term(
                .value(.conditional(isNil, .constant(.null), try mapped.tree())), guards: guards(mapped))
        }
    }
}

extension ExpressionTree {
    /// Returns whether this is nil wherever a part is. One of another entity is nil where its tree isn't.
    fileprivate func isBehind(_ whole: Term) throws(UntranslatableExpression) -> Bool {
        whole.isCast ? false : isBehind(try whole.tree())
    }

    /// Returns whether this is nil wherever the other is, being read through the other or computed of it.
    fileprivate func isBehind(_ other: ExpressionTree) -> Bool {
        if self == other { return true }
        switch (self, other) {
        case (.keyPath(let base, let path), .keyPath(let otherBase, let otherPath))
        where base == otherBase:
            return path.hasPrefix(otherPath + ".")
        case (.keyPath(let base, _), _): return base.isBehind(other)
        case (.function(nil, let name, let arguments), _) where name != "objectFrom:withIndex:":
            return arguments.contains { $0.isBehind(other) }
        default: return false
        }
    }
}

// MARK: - Casts

extension PredicateScope {
    /// An expression as another type: the same where every object of its entity is of the type, or where only the value
    /// can tell; then values of another type are equal to none of this.
    fileprivate func cast<Input: PredicateExpression>(
        _ input: Input, to type: Any.Type, cast: Any
    ) throws(UntranslatableExpression) -> Term {
        let term = try term(input)
        let given = (Input.Output.self as? any OptionalType.Type)?.wrapped ?? Input.Output.self
        switch term.content {
        case .object(let tree, let entity):
            if let type = type as? NSManagedObject.Type, entity.objectClass.inherits(type) { return term }
            let type = (type as? any OptionalType.Type)?.wrapped ?? type
            if let name = nameOfEntity(type),
                let wanted = entity.model.entities.first(where: { $0.name == name })
            {
                return term.cast(tree, from: entity, to: wanted)
            }
            throw UntranslatableExpression(
                cast,
                why: "whether an object of entity \"\(entity.name)\" is a \(type) isn't known to a store")
        case .collection(let members):
            if given == type || members.fits(type) { return term }
            throw UntranslatableExpression(
                cast, why: "the members of \"\(members.tree.format)\" are no \(type)")
        default:
            if given == type || given == Any.self { return term }
            throw UntranslatableExpression(cast, why: "from \(given) to \(type)")
        }
    }
}

extension Term {
    /// Indicates whether this is an object that is nil where it isn't of an entity.
    fileprivate var isCast: Bool {
        if case .object = content { missing != nil } else { false }
    }

    /// An object as one of another entity: nil where it is of none that is or inherits from that.
    fileprivate func cast(_ tree: ExpressionTree, from entity: ManagedEntity, to wanted: ManagedEntity)
        -> Term
    {
        if entity.description.isKindOf(entity: wanted.description) { return self }
        let kinds = entity.model.entities.filter { $0.description.isKindOf(entity: wanted.description) }
        let isWanted = PredicateTree.any(
            kinds.map { kind in
                let constant = ExpressionTree.constant(.object(ObjectReference(kind.description)))
                return .compare(tree.appending("entity"), op: .equalTo, right: constant)
            })
        let object = ExpressionTree.function(
            operand: nil, name: "castObject:toType:",
            arguments: [tree, .constant(.object(ObjectReference(wanted.description)))])
        var term = Term(.object(object, wanted), guards: guards)
        term.missing = .any([isNil, .none(isWanted)])
        return term
    }
}

extension Term.Members {
    /// Returns whether the members are those of a type of collections.
    fileprivate func fits(_ type: Any.Type) -> Bool {
        guard let element = (type as? any ObjectCollection.Type)?.elementType as? NSManagedObject.Type else {
            return false
        }
        return entity.objectClass.inherits(element)
    }
}

/// Swift's collections of objects, as types.
private protocol ObjectCollection {
    static var elementType: Any.Type { get }
}

extension Array: ObjectCollection {
    fileprivate static var elementType: Any.Type { Element.self }
}

extension Set: ObjectCollection {
    fileprivate static var elementType: Any.Type { Element.self }
}

extension PredicateExpressions.ConditionalCast: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        try scope.cast(input, to: Desired.self, cast: self)
    }
}

extension PredicateExpressions.ForceCast: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let term = try scope.cast(input, to: Desired.self, cast: self)
        guard !(Desired.self is any OptionalType.Type) else { return term }
        return term.isNil == .never ? term : term.adding(term.guards + [.none(term.isNil)])
    }
}

extension PredicateExpressions.TypeCheck: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let term = try scope.cast(input, to: Desired.self, cast: self)
        return Term(.truth(Truth(.none(term.isNil)).guarded(by: term.guards)))
    }
}
