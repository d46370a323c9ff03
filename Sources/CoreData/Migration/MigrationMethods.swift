// The methods of a policy or a manager that mapping models call by their selectors, as generated code states them.

import Foundation

/// The companion of a migration policy, or of a subclass of the migration manager, which the library finds by name:
/// `CarPolicy__Methods` beside `CarPolicy`.
///
/// The build plugin declares one for each such class of a target that has methods marked `@objc`: Apple's framework finds
/// these through the Objective-C runtime.
nonisolated open class MigrationMethods {
    /// States the class's own methods. Superclasses are asked on their own.
    open class func register(in functions: inout MigrationFunctions) {}

    /// The functions of a class: those of the companions of its superclasses and its own, then those that it states itself.
    static func functions(
        of receiver: AnyClass, below base: AnyClass, stated: (inout MigrationFunctions) -> Void
    ) -> MigrationFunctions {
        var functions = MigrationFunctions()
        var classes: [AnyClass] = []
        var next: AnyClass? = receiver
        while let found = next, found != base {
            classes.append(found)
            next = _getSuperclass(found)
        }
        for found in classes.reversed() { companion(of: found)?.register(in: &functions) }
        stated(&functions)
        return functions
    }

    /// `App.CarPolicy__Methods`. As with `ManagedKeys`, that of a class in another type is called by the names of both.
    private static func companion(of receiver: AnyClass) -> MigrationMethods.Type? {
        let names = String(reflecting: receiver).split(separator: ".", maxSplits: 1)
        let name = names.map { $0.replacing(".", with: "_") }.joined(separator: ".") + "__Methods"
        return NSClassFromString(name) as? MigrationMethods.Type
    }
}
