// The kinds of stores that must behave alike: a suite runs against each with `@Test(arguments: StoreKind.allCases)`.

import CoreData
import CoreDataPostgreSQL
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
    /// On a server of the tests' own, in a schema for each folder; left out where there can be none.
    case postgreSQL

    static let allCases: [StoreKind] =
        [.sqlite, .tracked, .inMemory, .binary, .xml, .atomic]
        + (PostgreSQLServer.isAvailable ? [.postgreSQL] : [])
    static let withObjects = allCases + [.incremental]
    /// Those that need a server, where there is one.
    static let onServers = allCases.filter { $0 == .postgreSQL }
    /// The kinds that keep a history.
    static let tracking = [StoreKind.tracked] + onServers
    /// The kinds whose stores are migrated in place, and whose states can be kept.
    static let inPlace = [StoreKind.sqlite] + onServers
    static let serverTypes = onServers.map(\.type)

    var type: String {
        switch self {
        case .sqlite, .tracked: NSSQLiteStoreType
        case .inMemory: NSInMemoryStoreType
        case .binary: NSBinaryStoreType
        case .xml: NSXMLStoreType
        case .atomic: JSONStore.type
        case .incremental: ShelfStore.type
        case .postgreSQL: PostgreSQLStore.type
        }
    }

    /// Indicates whether a store outlives its coordinator.
    var hasFile: Bool { self != .inMemory && self != .incremental }

    var testDescription: String { rawValue }

    /// Makes the classes of clients' stores known. Needed before a store is added without `makeContainer`.
    static func register() {
        JSONStore.register()
        ShelfStore.register()
        PostgreSQLStore.register()
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
        let description = try description(folder)
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

extension StoreKind {
    /// The kinds whose stores are files.
    static let inFiles = allCases.filter { $0.hasFile && $0 != .postgreSQL }

    /// A place for a store of a type that belongs to a folder; `nil` for one in memory.
    static func place(_ type: String, _ folder: TemporaryFolder, _ name: String) throws -> URL? {
        if type == NSInMemoryStoreType { return nil }
        if type != PostgreSQLStore.type { return folder.file(name) }
        let schema = "\(folder.url.lastPathComponent)-\(name)"
        return NSPersistentStoreDescription(
            postgreSQL: try PostgreSQLServer.shared().address(), schema: schema
        ).url
    }

    /// Describes the store of the kind that belongs to a folder.
    func description(_ folder: TemporaryFolder) throws -> NSPersistentStoreDescription {
        if self == .postgreSQL {
            return NSPersistentStoreDescription(
                postgreSQL: try PostgreSQLServer.shared().address(), schema: folder.url.lastPathComponent)
        }
        let description = NSPersistentStoreDescription(url: folder.file("Store.\(rawValue)"))
        if self == .inMemory { description.url = nil }
        description.type = type
        return description
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
