// The store, and how to look into a big one without waiting for it on the main queue.

import CoreData

/// People and their laptops in a SQLite file.
struct AddressBook: Sendable {
    let container: NSPersistentContainer

    /// Opens the store in the file, or makes one. The container finds the compiled model in the program's bundle.
    init(file: URL) throws {
        ColorTransformer.register()
        container = NSPersistentContainer(name: "People")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    func count(_ entity: String) async throws -> Int {
        try await container.performBackgroundTask { context in
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
        }
    }

    // MARK: IDs in the background, objects on the main queue

    /// The IDs of everyone whose name begins so, by name. Searching and sorting happen on a background queue. Objects
    /// couldn't leave it; IDs can.
    func ids(ofPeopleNamed beginning: String) async throws -> [NSManagedObjectID] {
        try await container.performBackgroundTask { context in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "name BEGINSWITH %@", beginning)
            request.sortDescriptors = [
                NSSortDescriptor(key: "name", ascending: true),
                NSSortDescriptor(key: "number", ascending: true),
            ]
            return try context.fetch(request)
        }
    }

    /// The main context's objects for IDs, in the same order. `object(with:)` alone would do: it makes a fault, and
    /// each fault would ask the store for its row when it is read. The fetch brings all rows with one statement.
    @MainActor func people(_ ids: some Collection<NSManagedObjectID>) throws -> [Person] {
        let context = container.viewContext
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.predicate = NSPredicate(format: "SELF IN %@", Array(ids))
        // The context doesn't keep objects that nobody else does, so what was fetched is held until the end.
        let fetched = try context.fetch(request)
        return withExtendedLifetime(fetched) { ids.compactMap { context.object(with: $0) as? Person } }
    }

    // MARK: Laptops by colour

    /// The predicate's argument is a `Color`. For the store it becomes bytes, by the attribute's transformer, and the
    /// statement says `ZCOLOR = ?`.
    static func color(_ color: Color) -> NSPredicate {
        NSPredicate(format: "color == %@", color)
    }

    @MainActor func numberOfLaptops(_ color: Color) throws -> Int {
        let request: NSFetchRequest<Laptop> = Laptop.fetchRequest()
        request.predicate = Self.color(color)
        return try container.viewContext.count(for: request)
    }

    /// The first laptops of that colour by their owners' names, which are read with the laptops.
    @MainActor func laptops(_ color: Color, limit: Int) throws -> [Laptop] {
        let request: NSFetchRequest<Laptop> = Laptop.fetchRequest()
        request.predicate = Self.color(color)
        request.sortDescriptors = [
            NSSortDescriptor(key: "owner.name", ascending: true),
            NSSortDescriptor(key: "owner.number", ascending: true),
        ]
        request.relationshipKeyPathsForPrefetching = ["owner"]
        request.fetchLimit = limit
        return try container.viewContext.fetch(request)
    }
}
