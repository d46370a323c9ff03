// Evaluation of expressions.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension NSExpression {
    func value(with object: Any?, context: NSMutableDictionary?) -> Any? {
        var variables: [String: Any] = [:]
        for (key, value) in context ?? [:] {
            if let name = key as? String { variables[name] = value }
        }
        return tree.value(of: object, variables)
    }
}
