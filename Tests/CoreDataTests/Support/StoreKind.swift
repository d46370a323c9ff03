// The kinds of stores that must behave alike: a suite runs against each with `@Test(arguments: StoreKind.allCases)`.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, inMemory, binary, xml, atomic
    /// SQLite whose saves are written into the store's history.
    case tracked
    /// Answers no fetches of dictionaries, sees no conflicts and no values that must be unique, as is the client's
    /// to do: for suites over objects, `withObjects`.
    case incremental

    static let allCases: [StoreKind] = [.sqlite, .tracked, .inMemory, .binary, .xml, .atomic]
    static let withObjects = allCases + [.incremental]

    var type: String {
        switch self {
        case .sqlite, .tracked: NSSQLiteStoreType
        case .inMemory: NSInMemoryStoreType
        case .binary: NSBinaryStoreType
        case .xml: NSXMLStoreType
        case .atomic: JSONStore.type
        case .incremental: ShelfStore.type
        }
    }

    /// Indicates whether a store outlives its coordinator.
    var hasFile: Bool { self != .inMemory && self != .incremental }

    var testDescription: String { rawValue }

    /// Makes the classes of clients' stores known. Needed before a store is added without `makeContainer`.
    static func register() {
        JSONStore.register()
        ShelfStore.register()
    }

    /// A container with one loaded store of the kind, in a folder of its own that goes away with the container.
    ///
    /// With a container of the same kind its file is opened once more, by another coordinator.
    func makeContainer(
        _ model: NSManagedObjectModel = CompanyModel.make(), reopening other: StoreContainer? = nil,
        options: [String: NSObject] = [:]
    ) throws -> StoreContainer {
        Self.register()
        let folder = try other?.folder ?? TemporaryFolder()
        let container = StoreContainer(model, folder)
        let description = NSPersistentStoreDescription(url: folder.file("Store.\(rawValue)"))
        if self == .inMemory { description.url = nil }
        description.type = type
        if self == .tracked {
            description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        }
        for (key, value) in options { description.setOption(value, forKey: key) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }
}

/// A container whose stores lie in a temporary folder. Unchecked as its superclass is.
final class StoreContainer: NSPersistentContainer, @unchecked Sendable {
    let folder: TemporaryFolder

    init(_ model: NSManagedObjectModel, _ folder: TemporaryFolder) {
        self.folder = folder
        super.init(name: "Store", managedObjectModel: model)
    }

    /// The context holds the folder: saves to a file that was removed fail.
    override func newBackgroundContext() -> NSManagedObjectContext {
        let context = super.newBackgroundContext()
        context.userInfo["folder"] = folder
        return context
    }

    var store: NSPersistentStore { persistentStoreCoordinator.persistentStores[0] }
}
