// Collections in Swift predicates: to-many relationships, and constants whose elements are tried one by one.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension Term.Members {
    /// `.count`, `.isEmpty`, `.first` and `.last` of a relationship.
    func term<Root, Output>(
        _ expression: PredicateExpressions.KeyPath<Root, Output>
    ) throws(UntranslatableExpression) -> Term {
        switch expression.kind {
        case .collectionCount: return Term(.value(count))
        case .collectionIsEmpty: return Term(.truth(Truth(.none(isAny))))
        case .collectionFirst: return Term(.object(element(.firstIndex), entity))
        case .bidirectionalCollectionLast: return Term(.object(element(.lastIndex), entity))
        default: break
        }
        if (\NSSet.count as AnyKeyPath) == expression.keyPath
            || (\NSOrderedSet.count as AnyKeyPath) == expression.keyPath
        {
            return Term(.value(count))
        }
        throw UntranslatableExpression(keyPath: expression.keyPath)
    }

    var count: ExpressionTree { tree.appending("@count") }

    func element(_ index: ExpressionTree) -> ExpressionTree {
        .function(operand: nil, name: "objectFrom:withIndex:", arguments: [tree, index])
    }

    /// A predicate that holds if there are members.
    var isAny: PredicateTree { .compare(tree, op: .notEqualTo, right: .constant(.null), modifier: .any) }

    /// The members for which a condition on an element holds.
    func filtered(_ variable: String, condition: PredicateTree) -> Term.Members {
        var members = self
        members.tree = .subquery(collection: tree, variable: variable, predicate: condition)
        return members
    }

    /// Returns a predicate that holds if there is a member for which a condition holds. Equality with a
    /// constant is left to `ANY`, which an index of the members may serve.
    func contains(_ variable: String, condition: PredicateTree) -> PredicateTree {
        if case .comparison(let comparison) = condition, comparison.op == .equalTo,
            comparison.modifier == .direct, case .keyPath(.variable(variable), let path) = comparison.left,
            case .constant = comparison.right, case .keyPath = tree
        {
            return .compare(
                tree.appending(path), op: .equalTo, right: comparison.right, options: comparison.options,
                modifier: .any)
        }
        return filtered(variable, condition: condition).isAny
    }
}

extension PredicateScope {
    /// The condition for each element of a constant, or for any member of a relationship.
    fileprivate enum Elements {
        case each([Truth])
        case members(Term.Members, String, Truth)
    }

    fileprivate func elements<Sequence: PredicateExpression, Test: PredicateExpression>(
        of sequence: Sequence, variable: PredicateExpressions.Variable<Sequence.Output.Element>,
        test: Test
    ) throws(UntranslatableExpression) -> (Elements, guards: [PredicateTree])
    where Sequence.Output: Swift.Sequence {
        let term = try term(sequence)
        switch term.content {
        case .collection(let members):
            let name = elementName
            let inner = with(variable, term: Term(.object(.variable(name), members.entity)))
            return (.members(members, name, try inner.truth(test)), term.guards)
        case .constant(let any as Sequence.Output):
            var truths: [Truth] = []
            for element in any {
                guard truths.count < Self.elementLimit else {
                    throw UntranslatableExpression(
                        sequence,
                        why: "it has more than \(Self.elementLimit) elements, each of which is compared")
                }
                truths.append(try with(variable, term: Term(.constant(element))).truth(test))
            }
            return (.each(truths), term.guards)
        default:
            throw UntranslatableExpression(
                sequence, why: "only the members of relationships are known to a store")
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let (elements, guards) = try scope.elements(of: sequence, variable: variable, test: test)
        switch elements {
        case .each(let truths):
            return Term(.truth(truths.reduce(Truth(.never)) { $0 || $1 }.guarded(by: guards)))
        case .members(let members, let name, let truth):
            let holds = members.contains(name, condition: truth.holds)
            let fails =
                truth.canThrow
                ? .none(members.contains(name, condition: .none(truth.fails))) : PredicateTree.none(holds)
            return Term(
                .truth(Truth(holds: holds, fails: fails, canThrow: truth.canThrow).guarded(by: guards)))
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let (elements, guards) = try scope.elements(of: sequence, variable: variable, test: test)
        switch elements {
        case .each(let truths):
            return Term(.truth(truths.reduce(Truth(.always)) { $0 && $1 }.guarded(by: guards)))
        case .members(let members, let name, let truth):
            let holds = PredicateTree.none(members.contains(name, condition: .none(truth.holds)))
            let fails = truth.canThrow ? members.contains(name, condition: truth.fails) : .none(holds)
            return Term(
                .truth(Truth(holds: holds, fails: fails, canThrow: truth.canThrow).guarded(by: guards)))
        }
    }
}

extension PredicateExpressions.Filter: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let (elements, guards) = try scope.elements(of: sequence, variable: variable, test: filter)
        guard case .members(let members, let name, let truth) = elements else {
            throw UntranslatableExpression(self, why: "a constant that is filtered by what the object has")
        }
        let canThrow = truth.canThrow ? [members.throwing(name, truth: truth)] : []
        return Term(.collection(members.filtered(name, condition: truth.holds)), guards: guards + canThrow)
    }
}

extension Term.Members {
    /// Returns a predicate that holds if a condition throws for no member.
    fileprivate func throwing(_ name: String, truth: Truth) -> PredicateTree {
        .none(contains(name, condition: .none(.any([truth.holds, truth.fails]))))
    }
}

extension PredicateExpressions.SequenceContains: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        if LHS.Output.self == String.self {
            return try scope.search(sequence, op: .contains, pattern: element)
        }
        var (whole, element) = (try scope.term(sequence), try scope.term(element))
        if PredicateScope.isUnsigned(RHS.Output.self) { (whole, element) = (whole.bits, element.bits) }
        let guards = whole.guards + element.guards
        if let values = whole.constant, case .value(let tree) = element.content,
            let nilReads = element.nilReads, element.missing == nil
        {
            let list = ExpressionTree.constant(try Term.literal(values))
            let test = PredicateTree.compare(tree, op: .in, right: list)
            let readsOne =
                (try? Evaluator().matches(.compare(.constant(nilReads), op: .in, right: list), object: .null))
                ?? false
            let isNil = PredicateTree.compare(tree, op: .equalTo, right: .constant(.null))
            return Term(.truth(Truth(readsOne ? .any([test, isNil]) : test).guarded(by: guards)))
        }
        let test = PredicateTree.compare(try element.tree(), op: .in, right: try whole.tree())
        return Term(.truth(Truth(test).guarded(by: guards)))
    }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let whole = try scope.term(wrapped)
        guard case .collection(let members) = whole.content,
            case .integer(let number)? = try scope.term(index).constant, number >= 0
        else {
            throw UntranslatableExpression(self, why: "it needs an ordered relationship and a constant index")
        }
        let position = ExpressionTree.constant(.integer(number))
        return Term(
            .object(members.element(position), members.entity),
            guards: whole.guards + [.compare(members.count, op: .greaterThan, right: position)])
    }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let whole = try scope.term(wrapped)
        guard case .value(let tree) = whole.content, case .string(let name)? = try scope.term(key).constant
        else {
            throw UntranslatableExpression(self, why: "it needs a composite attribute and a constant name")
        }
        return Term(.value(tree.appending(name)), guards: whole.guards)
    }
}
