// The class of items. Its properties are generated: the model says "Category/Extension". AssetType, of which the model
// says "Class Definition", is generated altogether.

import CoreData

/// Something that a household owns.
final class Item: NSManagedObject {
    /// A new item knows when it was made. This runs once in an object's life, before anything else sees it.
    override func awakeFromInsert() {
        super.awakeFromInsert()
        dateCreated = Date()
    }

    /// Runs when a fault fires: the moment before, the object was only an ID.
    override func awakeFromFetch() {
        super.awakeFromFetch()
        (managedObjectContext?.userInfo[FaultTrace.key] as? FaultTrace)?.fired(self)
    }

    /// One line for lists.
    var summary: String {
        "\(name ?? "?"), \(serialNumber ?? "no serial number"), $\(valueInDollars), \(assetType?.label ?? "no type")"
    }
}

/// Hears which items' faults fire in a context: put it into the context's `userInfo`.
final class FaultTrace {
    static let key = "FaultTrace"
    /// The rows' numbers, like the `p1` at the end of an object ID.
    private(set) var rows: [String] = []
    private let tell: (String) -> Void

    init(_ tell: @escaping (String) -> Void = { _ in }) {
        self.tell = tell
    }

    func fired(_ object: NSManagedObject) {
        let row = object.objectID.uriRepresentation().lastPathComponent
        rows.append(row)
        tell("fault \(object.entity.name ?? "?")/\(row) fires")
    }
}
