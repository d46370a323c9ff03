import CoreData
import Foundation
import SwiftData
import Testing

@Model
final class Photo {
    #Index<Photo>([\.title])
    var title: String
    @Attribute(.externalStorage) var pixels: Data

    init(title: String, pixels: Data) {
        self.title = title
        self.pixels = pixels
    }
}

/// What options of attributes and classes make of a store.
@Suite struct StoredOptionsTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Photo.self, configurations: ModelConfiguration(url: folder.file("Photos.store")))
    }

    @Test func largeValuesLieBesideTheStore() throws {
        let pixels = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let context = ModelContext(container)
        context.insert(Photo(title: "large", pixels: pixels))
        context.insert(Photo(title: "small", pixels: Data([1, 2])))
        try context.save()
        let files = try FileManager.default.contentsOfDirectory(
            atPath: folder.file(".Photos_SUPPORT/_EXTERNAL_DATA").path)
        #expect(files.count == 1)
        let found = try ModelContext(container).fetch(
            FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)]))
        #expect(found.map(\.pixels) == [pixels, Data([1, 2])])
    }

    @Test func indexesAreMade() throws {
        let model = container.persistentStoreCoordinator.managedObjectModel
        let indexes = try #require(model.entitiesByName["Photo"]).indexes
        #expect(indexes.map { $0.elements.compactMap(\.property?.name) } == [["title"]])
        let context = ModelContext(container)
        context.insert(Photo(title: "small", pixels: Data([1])))
        try context.save()
        // The text of the statement that made the index lies in the file, or in its log before a checkpoint.
        let bytes = ["Photos.store", "Photos.store-wal"].map { try? Data(contentsOf: folder.file($0)) }
        let statement = Data("CREATE INDEX Z_Photo_index0_title ON ZPHOTO".utf8)
        #expect(bytes.contains { $0?.range(of: statement) != nil })
    }
}
