// A store that is filled with one version of a model and opened with another.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct MigratedStore {
    private let folder: TemporaryFolder
    private let url: URL

    init(_ kind: StoreKind) throws {
        StoreKind.register()
        folder = try TemporaryFolder()
        url = try #require(try StoreKind.place(kind.type, folder, "Store.sqlite"))
    }

    /// Makes the store and saves what the closure inserts.
    func fill(_ model: NSManagedObjectModel, _ body: (OpenStore) throws -> Void) throws {
        let opened = try OpenStore(url, model)
        try body(opened)
        try #require(opened.save() == [])
        try opened.close()
    }

    /// Opens the store with another version, which migrates it; nothing in it is wrong before and after the closure.
    func migrate(to model: NSManagedObjectModel, _ body: (OpenStore) throws -> Void) throws {
        let opened = try OpenStore(url, model, options: .migrating)
        try expect(opened.coordinator.verify(opened.store), equals: [])
        try body(opened)
        try expect(opened.coordinator.verify(opened.store), equals: [])
        try opened.close()
    }
}
