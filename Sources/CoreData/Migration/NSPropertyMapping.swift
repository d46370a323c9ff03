// The mapping of one property.

import CoreDataPredicate
import CoreDataSchema
package import CoreDataSupport
public import Foundation

/// Says where the value of one property of the destination comes from.
open class NSPropertyMapping: NSObject {
    /// The property's name in the destination.
    open var name: String?
    /// The expression of the value, in terms of `$source`, `$manager` and the other variables of
    /// Docs/MappingModels.md. Without one the property keeps the value that a new object has.
    open var valueExpression: NSExpression?
    /// Anything a client wants to keep with the mapping.
    open var userInfo: [AnyHashable: Any]?

    convenience init(_ schema: PropertyMappingSchema) {
        self.init()
        name = schema.name
        valueExpression = schema.value.map(NSExpression.make)
        userInfo = schema.userInfo?.userInfo
    }

    final var schema: PropertyMappingSchema {
        PropertyMappingSchema(
            name: name ?? "", value: valueExpression?.tree,
            userInfo: userInfo.map { [Value: Value](userInfo: $0) })
    }
}

extension NSPropertyMapping: KeyValueReadable {
    /// Returns a value that value expressions may ask `$propertyMapping` for.
    package final func predicateValue(forKey key: String) throws -> Value {
        switch key {
        case "name": return Value(name)
        case "userInfo": return Value(userInfo)
        default: throw EvaluationFailure(reason: "a property mapping has no key “\(key)”")
        }
    }
}
