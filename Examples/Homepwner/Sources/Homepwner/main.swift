// A walk through a household's items: swift run Homepwner [--studio] [FILE] [-com.apple.CoreData.SQLDebug 1]
//
// FILE is where the store is; it stays there, so that the second run finds what the first one saved. Without it, a file
// in the folder for temporary files. With the second argument every statement that SQLite runs is shown; with
// --studio the items can be seen and changed in the browser afterwards.

import CoreData

func heading(_ text: String) { print("\n\(text)") }

/// The first argument that doesn't belong to a `-name value`.
func fileArgument() -> String? {
    var arguments = CommandLine.arguments.dropFirst().filter { $0 != "--studio" }[...]
    while let first = arguments.first {
        guard first.hasPrefix("-") else { return first }
        arguments = arguments.dropFirst(2)
    }
    return nil
}

let file =
    fileArgument().map { URL(fileURLWithPath: $0) }
    ?? FileManager.default.temporaryDirectory.appendingPathComponent("Homepwner.sqlite")

// 1. Open the store. In its first run the program makes asset types, and never again.
let inventory = try Inventory(file: file)
let labels = try inventory.assetTypes().compactMap(\.label).joined(separator: ", ")
print(inventory.isFirstRun ? "First run. Asset types made: \(labels)" : "Asset types: \(labels)")
if inventory.isFirstRun {
    let electronics = try inventory.assetType("Electronics")
    try inventory.add("Sofa", worth: 900, type: try inventory.assetType("Furniture"))
    try inventory.add("Television", worth: 450, serialNumber: "3F8K2", type: electronics)
    try inventory.add("Ring", worth: 1200, serialNumber: "0017", type: try inventory.assetType("Jewelry"))
    try inventory.add("Umbrella", worth: 15)
    try inventory.save()
}

// 2. The order is the owner's: the last item comes first now. One row changes.
try inventory.move(from: try inventory.items().count - 1, to: 0)
try inventory.save()
heading("Items in order")
for item in try inventory.items() { print("  \(item.summary)") }

// 3. Faults. A fetch makes objects without values; they come with the first access. The items' rows came with the
// fetch, so no statement runs for them; those of the types did not, and each is asked for when its label is read.
heading("Faults")
let fresh = inventory.container.newBackgroundContext()
try fresh.performAndWait {
    fresh.userInfo[FaultTrace.key] = FaultTrace { print("  (\($0))") }
    let request: NSFetchRequest<Item> = Item.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "orderingValue", ascending: true)]
    for item in try fresh.fetch(request) {
        print("  isFault: \(item.isFault)")
        let name = item.name ?? ""
        print("  isFault: \(item.isFault), it is the \(name)")
        if let type = item.assetType {
            let before = type.isFault
            print("    its type: \(before ? "a fault until now" : "known"), \(type.label ?? "")")
        }
    }
}

// 4. Delete, undo, redo.
heading("Undo")
@MainActor func names() throws -> String { try inventory.items().compactMap(\.name).joined(separator: ", ") }
if let last = try inventory.items().last { inventory.delete(last) }
print("  Deleted: \(try names())")
print("  \(inventory.undoManager.undoMenuItemTitle)")
inventory.undoManager.undo()
print("  Undone:  \(try names())")
inventory.undoManager.redo()
print("  Redone:  \(try names())")
inventory.undoManager.undo()
try inventory.save()
print("\nSaved in \(file.path)")

if CommandLine.arguments.contains("--studio") { try await administer(inventory.container) }
