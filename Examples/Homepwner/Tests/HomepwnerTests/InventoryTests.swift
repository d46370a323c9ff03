import CoreData
import Testing

@testable import Homepwner

@MainActor @Suite struct InventoryTests {
    /// A folder that goes when the test ends.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        var file: URL { url.appendingPathComponent("Homepwner.sqlite") }

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private let folder: Folder
    private let inventory: Inventory

    init() throws {
        folder = try Folder()
        inventory = try Inventory(file: folder.file)
    }

    private func names(_ inventory: Inventory) throws -> [String] { try inventory.items().compactMap(\.name) }

    private func addThree() throws {
        for name in ["Sofa", "Ring", "Lamp"] {
            try inventory.add(name, worth: 10, type: try inventory.assetType("Furniture"))
        }
    }

    @Test func typesAreMadeInTheFirstRunOnly() throws {
        #expect(inventory.isFirstRun)
        #expect(try inventory.assetTypes().map(\.label) == ["Electronics", "Furniture", "Jewelry"])
        let again = try Inventory(file: folder.file)
        #expect(!again.isFirstRun)
        #expect(try again.assetTypes().count == 3)
        let types = try again.assetTypes()
        again.action("Delete types") { types.forEach(again.context.delete) }
        try again.save()
        let third = try Inventory(file: folder.file)
        #expect(!third.isFirstRun)
        #expect(try third.assetTypes().isEmpty)
    }

    @Test func newItemsKnowWhenTheyWereMade() throws {
        let start = Date()
        let sofa = try inventory.add(
            "Sofa", worth: 900, serialNumber: "A1", type: try inventory.assetType("Furniture"))
        let made = try #require(sofa.dateCreated)
        #expect(made >= start && made <= Date())
        try inventory.save()
        let again = try Inventory(file: folder.file)
        let read = try #require(try again.items().first)
        #expect(read.dateCreated == made)
        #expect(read.summary == "Sofa, A1, $900, Furniture")
        #expect(!again.isFirstRun, "and its context lives until here: without it no type is read")
    }

    @Test func nothingIsWorthLessThanNothing() throws {
        try inventory.add("Debt", worth: -1)
        let error = #expect(throws: NSError.self) { try self.inventory.save() }
        #expect(error?.code == NSValidationNumberTooSmallError)
    }

    @Test func itemsKeepTheOrderThatTheyWereGiven() throws {
        try addThree()
        #expect(try names(inventory) == ["Sofa", "Ring", "Lamp"])
        try inventory.move(from: 2, to: 0)
        #expect(try names(inventory) == ["Lamp", "Sofa", "Ring"])
        try inventory.move(from: 0, to: 1)
        #expect(try names(inventory) == ["Sofa", "Lamp", "Ring"])
        try inventory.save()
        try inventory.move(from: 0, to: 2)
        #expect(inventory.context.updatedObjects.count == 1, "only the item that moved changes")
        try inventory.save()
        #expect(try names(try Inventory(file: folder.file)) == ["Lamp", "Ring", "Sofa"])
        try inventory.move(from: 0, to: 7)
        #expect(!inventory.context.hasChanges)
    }

    @Test func aGapThatIsUsedUpIsOpenedAgain() throws {
        try addThree()
        for turn in 1...150 {
            let expected = try names(inventory)
            try inventory.move(from: 2, to: 1)
            #expect(try names(inventory) == [expected[0], expected[2], expected[1]], "turn \(turn)")
        }
        try inventory.save()
        let values = try inventory.items().map(\.orderingValue)
        #expect(Set(values).count == 3)
    }

    @Test func deletionCanBeUndone() throws {
        try addThree()
        try inventory.save()
        inventory.delete(try inventory.items()[1])
        #expect(try names(inventory) == ["Sofa", "Lamp"])
        #expect(try inventory.assetType("Furniture")?.items?.count == 2)
        #expect(inventory.undoManager.undoActionName == "Delete Ring")
        inventory.undoManager.undo()
        #expect(try names(inventory) == ["Sofa", "Ring", "Lamp"])
        #expect(try inventory.items()[1].assetType?.label == "Furniture")
        #expect(try inventory.assetType("Furniture")?.items?.count == 3)
        inventory.undoManager.redo()
        try inventory.save()
        #expect(try names(try Inventory(file: folder.file)) == ["Sofa", "Lamp"])
    }

    @Test func everyActionIsUndoneByItself() throws {
        try addThree()
        try inventory.move(from: 2, to: 0)
        inventory.undoManager.undo()
        #expect(try names(inventory) == ["Sofa", "Ring", "Lamp"])
        inventory.undoManager.undo()
        #expect(try names(inventory) == ["Sofa", "Ring"])
        inventory.undoManager.undo()
        inventory.undoManager.undo()
        #expect(try names(inventory).isEmpty)
        #expect(!inventory.undoManager.canUndo, "the default types can't be undone")
        #expect(try inventory.assetTypes().count == 3)
    }

    @Test func itemsOutliveTheirType() throws {
        try addThree()
        try inventory.save()
        let furniture = try #require(try inventory.assetType("Furniture"))
        inventory.action("Delete type") { inventory.context.delete(furniture) }
        try inventory.save()
        #expect(try names(inventory).count == 3)
        #expect(try inventory.items().allSatisfy { $0.assetType == nil })
    }

    @Test func faultsFireWhenTheyAreRead() throws {
        try addThree()
        try inventory.save()
        let other = inventory.container.newBackgroundContext()
        try other.performAndWait {
            let trace = FaultTrace()
            other.userInfo[FaultTrace.key] = trace
            let request: NSFetchRequest<Item> = Item.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(key: "orderingValue", ascending: true)]
            let items = try other.fetch(request)
            #expect(items.allSatisfy(\.isFault) && trace.rows.isEmpty)
            #expect(items[1].name == "Ring")
            #expect(items.map(\.isFault) == [true, false, true])
            #expect(trace.rows == [items[1].objectID.uriRepresentation().lastPathComponent])
            let type = try #require(items[1].assetType)
            #expect(type.isFault)
            #expect(type.label == "Furniture" && !type.isFault)
            _ = items[1].valueInDollars
            #expect(trace.rows.count == 1, "a fault fires once")
            other.refresh(items[1], mergeChanges: false)
            #expect(items[1].isFault && items[1].name == "Ring")
            #expect(trace.rows.count == 2)
        }
    }
}
