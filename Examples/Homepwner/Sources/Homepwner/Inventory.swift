// The store, and what is done with items: added, put in order, deleted, and all of that undone.

import CoreData

/// The items of a household in a SQLite file.
@MainActor
final class Inventory {
    static let defaultTypes = ["Furniture", "Jewelry", "Electronics"]

    let container: NSPersistentContainer
    let undoManager = UndoManager()
    /// Indicates whether the asset types were made just now.
    private(set) var isFirstRun = false

    var context: NSManagedObjectContext { container.viewContext }

    /// Opens the store in the file, or makes one. The container finds the compiled model in the program's bundle.
    init(file: URL) throws {
        container = NSPersistentContainer(name: "Homepwner")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        try makeDefaultTypes()
        // From here on changes can be undone. Every action says itself where its group begins and ends.
        undoManager.groupsByEvent = false
        context.undoManager = undoManager
    }

    // MARK: First run

    /// Makes the default asset types, once in a store's life. To look whether there are any types would make them again
    /// for somebody who deleted them all, so the store's metadata remember it. They are saved with the types.
    private func makeDefaultTypes() throws {
        let coordinator = container.persistentStoreCoordinator
        guard let store = coordinator.persistentStores.first else { return }
        var metadata = coordinator.metadata(for: store)
        guard metadata["HasDefaultTypes"] == nil else { return }
        for label in Self.defaultTypes { AssetType(context: context).label = label }
        metadata["HasDefaultTypes"] = true
        coordinator.setMetadata(metadata, for: store)
        try context.save()
        isFirstRun = true
    }

    func assetTypes() throws -> [AssetType] {
        let request: NSFetchRequest<AssetType> = AssetType.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        return try context.fetch(request)
    }

    func assetType(_ label: String) throws -> AssetType? {
        let request: NSFetchRequest<AssetType> = AssetType.fetchRequest()
        request.predicate = NSPredicate(format: "label == %@", label)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    // MARK: Items

    /// All items in the order that they were put in.
    func items() throws -> [Item] {
        let request: NSFetchRequest<Item> = Item.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "orderingValue", ascending: true)]
        return try context.fetch(request)
    }

    /// Adds an item after all others.
    @discardableResult
    func add(
        _ name: String, worth dollars: Int32, serialNumber: String? = nil, type: AssetType? = nil
    ) throws -> Item {
        let last = try items().last?.orderingValue ?? 0
        return action("Add \(name)") {
            let item = Item(context: context)
            item.name = name
            item.valueInDollars = dollars
            item.serialNumber = serialNumber
            item.assetType = type  // adds the item to the type's items
            item.orderingValue = last + 1
            return item
        }
    }

    /// Moves an item to another place. Only that item changes: it gets a number between those of its neighbours.
    func move(from: Int, to: Int) throws {
        var items = try items()
        guard items.indices.contains(from), items.indices.contains(to), from != to else { return }
        let item = items.remove(at: from)
        items.insert(item, at: to)
        let before = to > 0 ? items[to - 1].orderingValue : nil
        let after = to + 1 < items.count ? items[to + 1].orderingValue : nil
        action("Move \(item.name ?? "")") {
            switch (before, after) {
            case (let before?, let after?):
                item.orderingValue = (before + after) / 2
                // After some fifty moves into the same gap no number is left in it.
                if item.orderingValue <= before || item.orderingValue >= after { number(items) }
            case (let before?, nil): item.orderingValue = before + 1
            case (nil, let after?): item.orderingValue = after - 1
            case (nil, nil): break
            }
        }
    }

    private func number(_ items: [Item]) {
        for (place, item) in items.enumerated() { item.orderingValue = Double(place + 1) }
    }

    func delete(_ item: Item) {
        action("Delete \(item.name ?? "")") { context.delete(item) }
    }

    func save() throws {
        if context.hasChanges { try context.save() }
    }

    /// Makes one group of everything that the body changes, so that it is undone as one. The context tells the undo
    /// manager what changed when it processes its changes.
    @discardableResult
    func action<Result>(_ name: String, _ body: () -> Result) -> Result {
        undoManager.beginUndoGrouping()
        defer {
            context.processPendingChanges()
            undoManager.setActionName(name)
            undoManager.endUndoGrouping()
        }
        return body()
    }
}
