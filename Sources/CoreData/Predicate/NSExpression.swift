// An expression object: a shell over a tree.

package import CoreDataPredicate
import CoreDataSupport
public import Foundation

/// An expression of the predicate language: a constant, a key path, a function of other expressions.
///
/// Foundation off Apple's systems declares a class of the same name that can't be made. A file that imports
/// both modules and writes the name as a type says `CoreData.NSExpression`, or has a typealias.
///
/// Unchecked because an expression never changes; the objects that a constant or a closure holds are the client's.
open class NSExpression: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let ownTree: ExpressionTree?
    private let ownType: ExpressionType?

    package init(tree: ExpressionTree) {
        ownTree = tree
        ownType = nil
        super.init()
    }

    /// For subclasses that override `expressionValue(with:context:)`: an expression of which only the type is
    /// known. It can be evaluated, not fetched by.
    public init(expressionType type: ExpressionType) {
        ownTree = nil
        ownType = type
        super.init()
    }

    /// Reads an expression from an archive; nil, with the coder's error set, when it is none of ours.
    public required init?(coder: NSCoder) {
        guard let tree = TreeArchive.expression(from: coder) else { return nil }
        ownTree = tree
        ownType = nil
        super.init()
    }

    /// What this expression says; a client's subclass is a closure that only it can evaluate.
    package var tree: ExpressionTree { ownTree ?? .block(ObjectReference(self), []) }

    /// The expression object for a tree, of the class that Apple would have given it.
    package static func make(_ tree: ExpressionTree) -> NSExpression {
        if case .fetchRequest = tree { return NSFetchRequestExpression(tree: tree) }
        return NSExpression(tree: tree)
    }

    /// The kind of expression.
    open var expressionType: ExpressionType { ownType ?? ExpressionType(tree) }

    /// The value for an object.
    ///
    /// `context` gives the values of the variables, by name.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        guard let ownTree else {
            raise(.invalidArgument, "\(Self.self) must override expressionValue(with:context:)")
        }
        return ownTree.value(of: object, Self.bindings(context))
    }

    /// The expression as a format.
    open override var description: String { ownTree?.format ?? super.description }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        guard let ownTree, let otherTree = other.ownTree else { return other === self }
        return ownTree == otherTree || ownTree.canonical == otherTree.canonical
    }

    open override var hash: Int { ownTree?.canonical.hashValue ?? ObjectIdentifier(self).hashValue }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Archives hold no classes but those that are expected.
    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        TreeArchive.encode(tree, with: coder)
    }
}

extension NSExpression: ExpressionTreeConvertible {
    package var expressionTree: ExpressionTree { tree }
}
