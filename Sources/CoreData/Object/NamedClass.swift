// Classes that have another name in Objective-C: `@objc(CDPerson) class Person`, of which models and mapping models state the
// former.

import Foundation
import Synchronization

/// The companion of a class with a name of its own in Objective-C, which the library finds by that name: `CDPerson__Class`
/// stands for `Person`.
///
/// The build plugin declares one for each class of a target that says `@objc(…)` with another name than its own.
nonisolated open class NamedClass {
    /// The class that bears the name.
    open class var named: AnyClass { self }

    /// The companions of a program, by the names that they stand for.
    private struct Companions {
        var images = 0
        var all: [String: [NamedClass.Type]] = [:]
    }

    private static let companions = Mutex(Companions())

    /// The class that has a name in Objective-C. Nil if there is none, or several.
    static func find(_ name: String) -> AnyClass? {
        let images = LoadedClasses.imageCount
        // The names of all classes are read once, and again when more code was loaded.
        let found = companions.withLock { known in
            if known.images != images {
                known = Companions(
                    images: images, all: LoadedClasses.named(endingIn: "__Class", below: NamedClass.self))
            }
            return known.all[name]
        }
        return found?.count == 1 ? found?[0].named : nil
    }
}
