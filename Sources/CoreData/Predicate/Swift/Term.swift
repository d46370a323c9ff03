// The translation of a part of a Swift predicate.

import CoreDataPredicate
import CoreDataSupport

/// A part of a Swift predicate: a value of Swift's, or what stands for it in the predicate language.
struct Term {
    indirect enum Content {
        /// A value that doesn't depend on the object.
        case constant(Any)
        case value(ExpressionTree)
        /// An attribute with the bytes of an encoded value, of which predicates only know whether it is nil.
        case encoded(ExpressionTree, Any.Type)
        case object(ExpressionTree, ManagedEntity)
        /// A to-many relationship, or some of its members.
        case collection(Members)
        case truth(Truth)
        /// The order of two strings.
        case order(Term, Term, ComparisonOptions)
        case range(Bounds)
    }

    struct Members {
        var tree: ExpressionTree
        let entity: ManagedEntity
        /// When there is no collection, not even an empty one.
        var isNil: PredicateTree = .never
    }

    struct Bounds {
        var lower: Term?
        var upper: Term?
        var includesUpper = false
    }

    let content: Content
    /// Unless all of them hold, the evaluation of the part throws.
    var guards: [PredicateTree] = []
    /// The part's value if the tree's value is nil and that of the part isn't: a number that is read without
    /// an optional, or the right side of `??`.
    var nilReads: Value?
    /// The part is nil where this holds, and `nilReads` doesn't count there. Of an object nothing else says
    /// so.
    var missing: PredicateTree?

    init(_ content: Content, guards: [PredicateTree] = []) {
        self.content = content
        self.guards = guards
    }

    /// The value, if it doesn't depend on the object.
    var constant: Value? {
        if case .constant(let value) = content { Self.value(value) } else { nil }
    }

    /// A value of Swift's as predicates know it: cases of enumerations as what attributes hold of them.
    private static func value(_ any: Any) -> Value {
        if let identity = any as? any ManagedIdentity {
            return identity.managedObjectID.map { .object(ObjectReference($0)) } ?? .null
        }
        let value = Value(any)
        if value.isKnown { return value }
        if let raw = (any as? any RawRepresentable)?.rawValue { return Self.value(raw) }
        switch value {
        case .array, .set: return .array((any as? any Sequence)?.map { Self.value($0) } ?? [])
        default: return value
        }
    }

    /// The part as an expression.
    func tree() throws(UntranslatableExpression) -> ExpressionTree {
        switch content {
        case .constant(let any): return .constant(try Self.literal(any))
        case .value(let tree):
            guard let nilReads else { return tree }
            let read = ExpressionTree.conditional(
                .compare(tree, op: .equalTo, right: .constant(.null)), .constant(nilReads), tree)
            return missing.map { .conditional($0, .constant(.null), read) } ?? read
        case .encoded(let tree, let type):
            throw UntranslatableExpression(
                "\(tree.format), an encoded \(type), has no SQL form but compared with nil")
        case .object(let tree, _): return tree
        case .collection(let members): return members.tree
        case .truth(let truth):
            let no = ExpressionTree.constant(.bool(false))
            let otherwise = truth.isNil == .never ? no : .conditional(truth.fails, no, .constant(.null))
            return .conditional(truth.holds, .constant(.bool(true)), otherwise)
        case .order:
            throw UntranslatableExpression("an order of strings has no SQL form but compared with one")
        case .range: throw UntranslatableExpression("a range has no SQL form but in contains(_:)")
        }
    }

    /// A constant as the predicate language has it.
    static func literal(_ any: Any) throws(UntranslatableExpression) -> Value {
        let value = value(any)
        if value.isKnown { return value }
        throw UntranslatableExpression("a constant of type \(type(of: any)) has no SQL form")
    }

    /// When the part is nil.
    var isNil: PredicateTree {
        switch content {
        case .constant: .constant(constant == .null)
        case .value where nilReads != nil: missing ?? .never
        case .object where missing != nil: missing ?? .never
        case .object(.evaluatedObject, _), .object(.variable, _), .range: .never
        case .value(let tree), .object(let tree, _), .encoded(let tree, _):
            .compare(tree, op: .equalTo, right: .constant(.null))
        case .collection(let members): members.isNil
        case .truth(let truth): truth.isNil
        case .order(let left, let right, _): .any([left.isNil, right.isNil])
        }
    }

    func adding(_ guards: [PredicateTree]) -> Term {
        var term = self
        term.guards = guards + self.guards.filter { !guards.contains($0) }
        return term
    }
}

extension Value {
    /// Indicates whether predicates know such values: of objects only managed ones and their IDs.
    fileprivate var isKnown: Bool {
        switch self {
        case .object(let reference):
            reference.object is NSManagedObject || reference.object is NSManagedObjectID
        case .array(let values): values.allSatisfy(\.isKnown)
        case .set(let values): values.allSatisfy(\.isKnown)
        case .dictionary(let pairs): pairs.values.allSatisfy(\.isKnown)
        default: true
        }
    }
}
