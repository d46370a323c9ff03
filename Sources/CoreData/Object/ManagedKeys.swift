// A class's statements about its accessors: the places that they carry, and the properties
// that it offers under keys.

import Foundation

/// The companion of a managed object class, which the library finds by name: `Hero__Keys` beside `Hero`.
///
/// Generated code declares one for each class, since nothing else says for which model the class's accessors were
/// made. Whenever the class is to be used for an entity, its companion and those of its superclasses are asked. If a
/// place that one states isn't the entity's, or there is no companion, all accessors of the entity's objects go by key.
nonisolated open class ManagedKeys {
    /// States the class's own keys: the places of its attributes and relationships, and custom accessors and
    /// validators. Superclasses are asked on their own.
    open class func register(in keys: inout KeyRegistry) {}

    /// States the keys of the class's key paths, those of inherited properties too: a key path knows the class that it
    /// starts from. Asked only when a key path is to be named.
    open class func registerKeyPaths(in keys: inout KeyRegistry) {}

    /// The companion of a class, if there is one.
    static func of(_ objectClass: NSManagedObject.Type) -> ManagedKeys.Type? {
        if objectClass == NSManagedObject.self { return nil }
        return NSClassFromString(name(of: objectClass)) as? ManagedKeys.Type
    }

    /// `App.Hero__Keys`. Only classes at the top level are found by name, so the companion of one in another type has
    /// the names of both: `App.Model_Hero__Keys`.
    private static func name(of objectClass: NSManagedObject.Type) -> String {
        let names = String(reflecting: objectClass).split(separator: ".", maxSplits: 1)
        return names.map { $0.replacing(".", with: "_") }.joined(separator: ".") + "__Keys"
    }
}
