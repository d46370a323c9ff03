// The scene of suites over all kinds of stores: one store, and contexts that know nothing of each other.

import CoreData
import CoreDataTestSupport
import Foundation

/// A store of some kind with two contexts. Each sees the other's saves when it asks the store.
final class StoreScene {
    let kind: StoreKind
    let container: StoreContainer
    let mine: NSManagedObjectContext
    let theirs: NSManagedObjectContext

    init(_ kind: StoreKind, _ model: NSManagedObjectModel = CompanyModel.make()) throws {
        self.kind = kind
        container = try kind.makeContainer(model)
        mine = container.newBackgroundContext()
        theirs = container.newBackgroundContext()
    }

    /// A scene with a saved library; the closure runs in the context that filled it.
    static func withLibrary(
        _ kind: StoreKind, _ body: (StoreScene, NSManagedObjectContext) throws -> Void
    ) throws {
        let scene = try StoreScene(kind, LibraryModel.make())
        try scene.mine.run { () throws in
            try Library.fill(scene.mine)
            try scene.mine.save()
            try body(scene, scene.mine)
        }
    }

    /// A context that has read nothing yet.
    func fresh() -> NSManagedObjectContext { container.newBackgroundContext() }

    /// A context whose changes go to another one.
    func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    /// Saves objects by name: ages are counted from 1.
    func saved(_ entity: String = "Person", _ names: String...) throws {
        try mine.run { () throws in
            for (index, name) in names.enumerated() {
                let object = mine.make(entity, ["name": name])
                if entity != "Company" { object.setValue(index + 1, forKey: "age") }
            }
            try mine.save()
        }
    }

    /// Changes a person by name in the other context, and saves that.
    func elsewhere(_ name: String, _ values: [String: Any]) throws {
        try theirs.run { () throws in
            try theirs.person(name).setValuesForKeys(values)
            try theirs.save()
        }
    }

    /// Returns the results of a fetch in a context without objects.
    func stored<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        let context = fresh()
        return try context.run { () throws in try body(context) }
    }
}

extension NSManagedObjectContext {
    /// The person of a name. Throws if there is none.
    func person(_ name: String) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == %@", name)
        guard let person = try fetch(request).first else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        return person
    }

    /// The names of an entity's objects that a format finds, in order.
    func names(_ entity: String = "Person", _ format: String? = nil) throws -> [String] {
        try all(entity, format, sort: "name").compactMap { $0.text("name") }
    }
}
