// For the package SwiftData: Swift predicates over classes that aren't managed objects.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

@_spi(SwiftData)
extension NSPredicate {
    /// A Swift predicate over any class whose key paths have names, as a predicate over an entity of a model in use.
    ///
    /// - Parameters:
    ///   - predicate: the predicate.
    ///   - entity: the entity.
    ///   - elementName: returns the name of the element that a key path of a structure reads, which is the value of a composite
    ///     attribute; nil for a key path that reads none.
    ///   - entityName: returns the name of the entity of a class, for casts; nil for one that has none.
    /// - Throws: an error whose description names the part that has no form in stores.
    public static func translated<Input>(
        _ predicate: Predicate<Input>, over entity: NSEntityDescription,
        elementName: @escaping (AnyKeyPath) -> String? = { _ in nil },
        entityName: @escaping (Any.Type) -> String? = { _ in nil }
    ) throws -> NSPredicate {
        guard let runtime = entity.runtime else {
            throw UntranslatableExpression("entity \"\(entity.name ?? "")\" is of no model in use")
        }
        return make(
            try SwiftPredicate.translation(
                of: predicate, over: runtime, elementName: elementName, entityName: entityName))
    }
}
