// The new values of a batch update as clients state them.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension BatchValues {
    /// Makes the values of `propertiesToUpdate` definite for one store.
    convenience init(_ properties: [AnyHashable: Any], entity: EntityRuntime, for store: NSPersistentStore)
        throws
    {
        self.init(entity)
        let writer = BatchRowWriter(entity, for: store)
        var stated: SlotSet? = SlotSet()
        let named = try properties.map { (try Self.name($0.key, writer: writer), $0.value) }
        for (name, value) in named.sorted(by: { $0.0 < $1.0 }) {
            switch (value as? NSExpression)?.tree {
            case nil: try writer.write(value, for: name, in: row, stated: &stated)
            case .constant(let constant)?:
                try writer.write(constant.any ?? NSNull(), for: name, in: row, stated: &stated)
            case let tree?: try add(tree, name: name, writer: writer)
            }
        }
        constants = entity.layout.slots.filter { stated?.contains($0.index) == true }
    }

    private static func name(_ key: AnyHashable, writer: BatchRowWriter) throws -> String {
        if let name = key.base as? String { return name }
        if let property = key.base as? NSPropertyDescription { return property.name }
        if let keyPath = key.base as? AnyKeyPath { return try KeyPathNames.path(keyPath) }
        throw writer.refusal(
            "\(key)", reason: "the keys of propertiesToUpdate are names or property descriptions")
    }

    private func add(_ tree: ExpressionTree, name: String, writer: BatchRowWriter) throws {
        if let property = entity.property(name) {
            if let reason = BatchRowWriter.obstacle(property) { throw writer.refusal(name, reason: reason) }
            if property.relation != nil {
                throw writer.refusal(name, reason: "a relationship takes no expression")
            }
        }
        guard let slot = entity.layout.slot(named: name), slot.attribute != nil else {
            throw writer.refusal(name, reason: "the entity has no such attribute")
        }
        if slot.kind == .externalData || slot.kind == .transformable {
            throw writer.refusal(name, reason: "it takes constants, no expressions")
        }
        expressions.append((slot, tree))
    }
}
