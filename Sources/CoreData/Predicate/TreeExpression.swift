// The expression objects that we make: Foundation's class with a tree behind it.

package import CoreDataPredicate
import CoreDataSupport
import CSwiftRuntime
public import Foundation

/// A protocol of `NSExpression` that lets its initialisers return our subclass: an initialiser of a class
/// can't replace the object, one of a protocol can. Members that Foundation declares, as unavailable, stand
/// in the protocol as well: in an extension of the class they would be ambiguous where the compiler reads
/// classes that inherit them. Nothing else should conform.
public protocol ExpressionInitializing {}

extension NSExpression: ExpressionInitializing {}

/// The class behind every expression. It is named nowhere else; `NSExpression` is what clients see.
open class TreeExpression: NSExpression {
    // Foundation's class has no initialiser that can be called, so objects are made without one, all zeros. An optional
    // reference is nil then; `of` sets it before anybody sees the object.
    private final var held: TreeReference?

    /// An object of this class or a subclass without stored properties of its own.
    final class func of(_ tree: ExpressionTree, depth: Int? = nil) -> Self {
        let expression = allocatedAsObject()
        expression.held = TreeReference(tree, depth: depth ?? tree.depth)
        return expression
    }

    /// The levels of the tree. Kept, as counting takes a time that doubles with each level at which a part stands twice.
    final var depth: Int { held?.depth ?? 1 }

    final var ownTree: ExpressionTree {
        guard let held else { raise(.internalInconsistency, "an expression without a tree") }
        return held.tree
    }

    /// The expression as a format.
    open override var description: String { ownTree.format }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? TreeExpression else { return false }
        return ownTree == other.ownTree || ownTree.canonical == other.ownTree.canonical
    }

    open override var hash: Int { ownTree.canonical.hashValue }
    open override func copy(with zone: NSZone? = nil) -> Any { self }
    open override var classForCoder: AnyClass { NSExpression.self }
}

private final class TreeReference: Sendable {
    let tree: ExpressionTree
    let depth: Int

    init(_ tree: ExpressionTree, depth: Int) {
        self.tree = tree
        self.depth = depth
    }
}

extension NSExpression {
    /// The expression's structure.
    package var tree: ExpressionTree {
        // There are no others: Foundation's own class can't be made.
        (self as? TreeExpression)?.ownTree ?? .block(ObjectReference(self), [])
    }

    /// The expression object for a tree, of the class that Apple would have given it.
    package static func make(_ tree: ExpressionTree) -> NSExpression { make(tree, depth: nil) }

    /// - Parameter depth: the tree's levels, if they are known.
    fileprivate static func make(_ tree: ExpressionTree, depth: Int?) -> NSExpression {
        if case .fetchRequest = tree { return NSFetchRequestExpression.of(tree, depth: depth) }
        return TreeExpression.of(tree, depth: depth)
    }
}

extension ExpressionInitializing where Self: NSExpression {
    /// Returns the value for an object. Raises for what can't be evaluated:
    /// `expressionValue(checking:context:)` throws.
    ///
    /// - Parameters:
    ///   - object: the object that the expression calls `SELF`.
    ///   - context: values of the variables, by name without `$`.
    public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        tree.value(of: object, NSExpression.bindings(context))
    }
}

extension NSExpression: ExpressionTreeConvertible {
    /// The tree as a part of another one. One with more levels than the evaluator follows is left out: what comes upon its
    /// place says so, and nothing that walks trees needs more stack than for these levels.
    package var expressionTree: ExpressionTree {
        guard let made = self as? TreeExpression, made.depth >= EvaluationLimits.depth else { return tree }
        return TooDeepExpression.tree
    }
}

extension NSExpression {
    /// The levels of `expressionTree`.
    var partDepth: Int {
        let depth = (self as? TreeExpression)?.depth ?? 1
        return depth < EvaluationLimits.depth ? depth : 1
    }
}

extension NSExpression: @retroactive NSSecureCoding {
    /// Archives hold no classes but those that are expected.
    public static var supportsSecureCoding: Bool { true }

    /// Archives the expression's structure. Closures and objects in it stop the process, as on Apple's systems.
    public func encode(with coder: NSCoder) {
        TreeArchive.encode(tree, with: coder)
    }
}

extension ExpressionInitializing {
    package init(tree: ExpressionTree) {
        self.init(tree: tree, depth: nil)
    }

    /// - Parameter parts: the levels of the parts.
    init(tree: ExpressionTree, above parts: [Int]) {
        self.init(tree: tree, depth: 1 + (parts.max() ?? 0))
    }

    private init(tree: ExpressionTree, depth: Int?) {
        guard let expression = NSExpression.make(tree, depth: depth) as? Self else {
            raise(.invalidArgument, "\(Self.self) can't be made of \(tree.format)")
        }
        self = expression
    }

    /// Reads an expression from an archive; nil, with the coder's error set, when it is none of ours.
    public init?(coder: NSCoder) {
        guard let tree = TreeArchive.expression(from: coder), let made = NSExpression.make(tree) as? Self
        else {
            return nil
        }
        self = made
    }
}
