// From the class name that a model states to the class.

import CoreDataSupport
import Foundation
import Synchronization

/// Finds managed object classes by name: those that somebody registered, then by module and name, then by the name
/// alone among all classes of the program.
enum ObjectClasses {
    /// A class of a name, or why there is none.
    enum Answer {
        case found(NSManagedObject.Type)
        /// The name is `NSManagedObject`'s, or there is none.
        case plain
        case missing
        /// Several modules have one.
        case several([NSManagedObject.Type])
    }

    private static let registered = Mutex<[String: NSManagedObject.Type]>([:])

    static func register(_ objectClass: NSManagedObject.Type, name: String?) {
        registered.withLock { table in
            for key in [name, String(reflecting: objectClass), String(describing: objectClass)] {
                if let key { table[key] = objectClass }
            }
        }
    }

    static func find(_ name: String?) -> Answer {
        guard let name, !name.isEmpty, name != "NSManagedObject" else { return .plain }
        let last = LoadedClasses.lastComponent(name)
        if let known = registered.withLock({ $0[name] ?? $0[last] }) { return .found(known) }
        if let known = NSClassFromString(name) as? NSManagedObject.Type { return .found(known) }
        // A class in another type has a name with dots that the runtime doesn't look up.
        let loaded = LoadedClasses.named(last, below: NSManagedObject.self).filter {
            LoadedClasses.name(name, denotes: $0)
        }
        guard loaded.isEmpty else { return loaded.count == 1 ? .found(loaded[0]) : .several(loaded) }
        return (NamedClass.find(last) as? NSManagedObject.Type).map(Answer.found) ?? .missing
    }

    /// The class of an entity's objects, plain ones where there is none.
    static func find(_ entity: NSEntityDescription) -> NSManagedObject.Type {
        let name = entity.managedObjectClassName
        let answer = find(name)
        if case .found(let objectClass) = answer { return objectClass }
        if !entity.managedObjectModel.hasNoClasses {
            warn(answer, name: name ?? "", entity: entity.name ?? "")
        }
        return NSManagedObject.self
    }

    /// Says what to do about a name without a class.
    private static func warn(_ answer: Answer, name: String, entity: String) {
        switch answer {
        case .found, .plain: break
        case .missing:
            Log.warning(
                "entity \"\(entity)\" has the class \"\(name)\", which the program doesn't have: its objects are "
                    + "plain managed objects. Declare the class, state it with its module in the model, or call "
                    + "registerClass(named: \"\(name)\") on the one that is meant")
        case .several(let classes):
            let names = classes.map { String(reflecting: $0) }.sorted().joined(separator: ", ")
            Log.warning(
                "entity \"\(entity)\" has the class \"\(name)\", of which the program has several (\(names)): its "
                    + "objects are plain managed objects. State the class with its module in the model, or call "
                    + "registerClass() on the one that is meant")
        }
    }
}
