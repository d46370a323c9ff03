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

    /// The result of a search, which reads the names of all classes: nothing is looked for again only when more code was loaded.
    private struct Answer {
        let found: AnyClass?
        let images: Int
    }

    private static let answers = Mutex<[String: Answer]>([:])

    /// The class that has a name in Objective-C. Nil if there is none, or several.
    static func find(_ name: String) -> AnyClass? {
        let known = answers.withLock { $0[name] }
        if let known, known.found != nil || known.images == LoadedClasses.imageCount { return known.found }
        let images = LoadedClasses.imageCount
        let companions = LoadedClasses.named(name + "__Class", below: NamedClass.self)
        let found: AnyClass? = companions.count == 1 ? companions[0].named : nil
        // Archives from outside may state any names.
        answers.withLock {
            if found != nil || $0.count < 1000 { $0[name] = Answer(found: found, images: images) }
        }
        return found
    }
}
