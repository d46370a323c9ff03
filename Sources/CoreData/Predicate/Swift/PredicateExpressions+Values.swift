// Variables, key paths, optionals, casts and arithmetic of Swift predicates. Constants need nothing: what reads no
// object is computed before (`PredicateScope.term(_:)`).

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

extension PredicateExpressions.Variable: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        guard let term = scope.term(of: key) else {
            throw UntranslatableExpression(self, why: "it is no variable of this predicate")
        }
        return term
    }
}

extension PredicateExpressions.KeyPath: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let base = try scope.term(root)
        switch base.content {
        case .object(let tree, let entity):
            return try entity.term(keyPath, from: tree).adding(base.guards)
        case .collection(let members):
            return try members.term(self).adding(base.guards)
        case .value:
            return try term(ofValue: base, scope)
        case .constant(let any):
            // Evaluating threw, for what the guards say.
            guard let root = any as? Root.Output else { return base }
            return Term(.constant(root[keyPath: keyPath]), guards: base.guards)
        case .truth, .order, .range, .encoded:
            throw UntranslatableExpression(keyPath: keyPath)
        }
    }

    private func term(
        ofValue base: Term, _ scope: PredicateScope
    ) throws(UntranslatableExpression) -> Term {
        switch kind {
        case .collectionCount where Root.Output.self == String.self:
            let count = ExpressionTree.function(
                operand: nil, name: "characters:", arguments: [try base.tree()])
            return Term(.value(count), guards: base.guards)
        case .collectionIsEmpty where Root.Output.self == String.self:
            return Term(.truth(try scope.compare(base, op: .equalTo, right: Term(.constant("")))))
        default:
            if let element = scope.nameOfElement(keyPath) {
                return Term(.value(try base.tree().appending(element)), guards: base.guards)
            }
            if keyPath.readsRawValue { return base }
            guard let key = ValueKeys.known[keyPath] else { throw UntranslatableExpression(keyPath: keyPath) }
            return Term(.value(.keyPath(try base.tree(), key)), guards: base.guards)
        }
    }
}

/// The properties of plain values that the predicate language knows.
private enum ValueKeys {
    // Key paths never change.
    nonisolated(unsafe) static let known: [AnyKeyPath: String] = [
        \Date.timeIntervalSinceReferenceDate: "timeIntervalSinceReferenceDate",
        \Date.timeIntervalSince1970: "timeIntervalSince1970", \URL.absoluteString: "absoluteString",
        \NSNumber.intValue: "intValue", \NSNumber.int64Value: "longLongValue",
        \NSNumber.doubleValue: "doubleValue", \NSDecimalNumber.doubleValue: "doubleValue",
    ]
}

extension UntranslatableExpression {
    init(keyPath: AnyKeyPath) {
        self.init("the key path \(keyPath.text) has no SQL form")
    }
}

extension ExpressionTree {
    /// The value at a path from this expression.
    func appending(_ path: String) -> ExpressionTree {
        if case .keyPath(let base, let start) = self { return .keyPath(base, start + "." + path) }
        return .keyPath(self, path)
    }
}

// MARK: - Key paths of objects

extension ManagedEntity {
    /// Returns the term that a Swift key path reads from an object of this entity.
    func term<Root, Read>(
        _ keyPath: Swift.KeyPath<Root, Read>, from tree: ExpressionTree
    ) throws(UntranslatableExpression) -> Term {
        let path: String
        do throws(KeyPathFailure) {
            path = try KeyPathNames.path(keyPath)
        } catch {
            throw UntranslatableExpression(error.reason)
        }
        if path == "self" { return Term(.object(tree, self)) }
        let keys = path.split(separator: ".").map(String.init)
        let whole = tree.appending(path)
        var entity = self
        for key in keys.dropLast() {
            guard case .toOne(_, let relation) = entity.property(key)?.kind else {
                return Term(.value(whole))
            }
            entity = relation.destination(in: model)
        }
        let last = keys.last ?? path
        if last == "objectID" { return Term(.object(whole, entity)) }
        guard let property = entity.property(last) else { return Term(.value(whole)) }
        switch property.kind {
        case .toOne(_, let relation): return Term(.object(whole, relation.destination(in: model)))
        case .toMany(let relation):
            return Term(.collection(.init(tree: whole, entity: relation.destination(in: model))))
        case .attribute(let slot):
            return Self.attribute(whole, kind: slot.kind, mayBeNil: property.mayBeNil, type: Read.self)
        case .composite, .fetched: return Term(.value(whole))
        }
    }

    /// An attribute that is read as a type without nil gives zero for nil, as accessors of numbers do.
    private static func attribute(
        _ tree: ExpressionTree, kind: SlotKind, mayBeNil: Bool, type: Any.Type
    ) -> Term {
        if kind == .data || kind == .externalData, !isOfBytes(type) {
            return Term(.encoded(tree, (type as? any OptionalType.Type)?.wrapped ?? type))
        }
        var tree = tree
        var kind = kind
        if kind == .date, type == Double.self {
            tree = tree.appending("timeIntervalSinceReferenceDate")
            kind = .double
        }
        var term = Term(.value(tree))
        guard mayBeNil, !(type is any OptionalType.Type) else { return term }
        term.nilReads = zero(kind)
        // An enumeration can only be read from nil if zero is a case.
        if let zero = term.nilReads, let cases = EnumerationCases(type, trying: [zero]),
            !cases.values.contains(zero)
        {
            term.nilReads = nil
        }
        return term
    }

    /// Returns true for bytes as they are, and for raw values that are bytes.
    private static func isOfBytes(_ type: Any.Type) -> Bool {
        func isRaw<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool { isOfBytes(Raw.RawValue.self) }
        let type = (type as? any OptionalType.Type)?.wrapped ?? type
        if let raw = type as? any RawRepresentable.Type { return isRaw(raw) }
        return type == Data.self || type == NSData.self || type == Any.self
    }

    private static func zero(_ kind: SlotKind) -> Value? {
        switch kind {
        case .integer16, .integer32, .integer64: .integer(0)
        case .boolean: .bool(false)
        case .double, .float: .double(0)
        case .decimal: .decimal(0)
        case .string: .string("")
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        default: nil
        }
    }
}

// MARK: - Arithmetic

extension PredicateScope {
    fileprivate func function(
        _ name: String, left: some PredicateExpression, right: some PredicateExpression
    ) throws(UntranslatableExpression) -> Term {
        let (left, right) = (try term(left), try term(right))
        let call = ExpressionTree.function(
            operand: nil, name: name, arguments: [try left.tree(), try right.tree()])
        return Term(.value(call), guards: left.guards + right.guards)
    }
}

extension PredicateExpressions.Arithmetic: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let name =
            switch op {
            case .add: "add:to:"
            case .subtract: "from:subtract:"
            case .multiply: "multiply:by:"
            @unknown default: throw UntranslatableExpression(self)
            }
        return try scope.function(name, left: lhs, right: rhs)
    }
}

extension PredicateExpressions.IntDivision: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        try scope.function("divide:by:", left: lhs, right: rhs)
    }
}

extension PredicateExpressions.FloatDivision: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        try scope.function("divide:by:", left: lhs, right: rhs)
    }
}

extension PredicateExpressions.IntRemainder: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        try scope.function("modulus:by:", left: lhs, right: rhs)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatedExpression {
    func term(in scope: PredicateScope) throws(UntranslatableExpression) -> Term {
        let term = try scope.term(wrapped)
        let zero = Output.self is any BinaryInteger.Type ? Value.integer(0) : Value.double(0)
        return Term(
            .value(
                .function(
                    operand: nil, name: "from:subtract:", arguments: [.constant(zero), try term.tree()])),
            guards: term.guards)
    }
}
