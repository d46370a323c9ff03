// From the class name that a model states to the class.

import CoreDataSupport
import Foundation
import Synchronization

/// Finds managed object classes by name. Without an Objective-C runtime only `Module.Class` can be looked up, so
/// clients and generated code may register classes for shorter names.
enum ObjectClasses {
    private static let registered = Mutex<[String: NSManagedObject.Type]>([:])

    static func register(_ objectClass: NSManagedObject.Type, name: String?) {
        registered.withLock { table in
            for key in [name, String(reflecting: objectClass), String(describing: objectClass)] {
                if let key { table[key] = objectClass }
            }
        }
    }

    static func find(_ name: String?) -> NSManagedObject.Type? {
        guard let name, !name.isEmpty, name != "NSManagedObject" else { return nil }
        if let known = registered.withLock({ $0[name] ?? $0[lastComponent(name)] }) { return known }
        return NSClassFromString(name) as? NSManagedObject.Type
    }

    /// Whether the name, with or without module, is this class's.
    static func name(_ name: String?, denotes objectClass: NSManagedObject.Type) -> Bool {
        guard let name, !name.isEmpty else { return false }
        if name == String(reflecting: objectClass) { return true }
        let hasModule = name.contains(".") && !name.hasPrefix(".")
        return !hasModule && lastComponent(name) == String(describing: objectClass)
    }

    private static func lastComponent(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }
}
