// A Swift predicate as a predicate object.

import CoreDataPredicate
import CoreDataSupport
public import Foundation
import Synchronization

extension PredicateInitializing {
    /// A Swift predicate as a predicate object.
    ///
    /// Over managed objects it becomes part of a store's query; a fetch throws an error that names what has no SQL form.
    /// `evaluate(with:)` asks the Swift predicate itself, which holds for no object of another type, nor where it throws.
    public init<Input: NSObject>(_ predicate: Predicate<Input>) {
        self = Self.cast(SwiftPredicate(predicate))
    }
}

/// Asks a Swift predicate in memory, and says what it says as a tree.
final class SwiftPredicate: NSPredicate, TreePredicate, UntranslatedPredicate {
    private let holds: (Any?) -> Bool
    private let translate: () throws(UntranslatableExpression) -> PredicateTree
    /// Only what was found: a model that is loaded later may give key paths their names.
    private let translated = Mutex<PredicateTree?>(nil)

    init<Input: NSObject>(_ predicate: Predicate<Input>) {
        holds = { object in
            guard let input = object as? Input else { return false }
            return (try? predicate.evaluate(input)) ?? false
        }
        translate = { () throws(UntranslatableExpression) in try Self.translation(of: predicate) }
        super.init(value: false)
    }

    /// A tree for any entity of the class: stores see its keys only.
    private static func translation<Input>(
        of predicate: Predicate<Input>
    ) throws(UntranslatableExpression) -> PredicateTree {
        guard let objectClass = Input.self as? NSManagedObject.Type else {
            throw UntranslatableExpression("a predicate over \(Input.self), which is no managed object class")
        }
        guard let entity = KeyPathNames.entity(of: objectClass) else {
            throw UntranslatableExpression("no model in use has an entity of the class \(objectClass)")
        }
        return try withExtendedLifetime(entity.model) { () throws(UntranslatableExpression) in
            try translation(of: predicate, over: entity.runtime)
        }
    }

    static func translation<Input>(
        of predicate: Predicate<Input>, over entity: ManagedEntity,
        elementName: @escaping (AnyKeyPath) -> String? = { _ in nil },
        entityName: @escaping (Any.Type) -> String? = { _ in nil }
    ) throws(UntranslatableExpression) -> PredicateTree {
        let object = Term(.object(.evaluatedObject, entity))
        let scope = PredicateScope(nameOfElement: elementName, nameOfEntity: entityName).with(
            predicate.variable, term: object)
        return try scope.truth(predicate.expression).holds
    }

    private func translation() throws(UntranslatableExpression) -> PredicateTree {
        if let known = translated.withLock({ $0 }) { return known }
        let tree = try translate()
        translated.withLock { $0 = tree }
        return tree
    }

    var ownTree: PredicateTree { (try? translation()) ?? .block(ObjectReference(self)) }

    var obstacle: String? {
        do throws(UntranslatableExpression) {
            _ = try translation()
            return nil
        } catch {
            return error.reason
        }
    }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        holds(object)
    }

    override var predicateFormat: String { ownTree.format }
    override var description: String { predicateFormat }
    override func isEqual(_ object: Any?) -> Bool { hasTree(of: object) }
    override var hash: Int { ownTree.canonical.hashValue }
    override var classForCoder: AnyClass { NSPredicate.self }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}
