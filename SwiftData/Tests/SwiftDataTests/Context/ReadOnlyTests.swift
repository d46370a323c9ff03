import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct ReadOnlyTests {
    @Test func savingSaysThatTheStoreWasOpenedForReading() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Trips.store")
        do {
            let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: file))
            let context = ModelContext(container)
            context.insert(Trip(name: "Ararat"))
            try context.save()
        }
        let container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: file, allowsSave: false))
        let context = ModelContext(container)
        try #require(try context.fetch(FetchDescriptor<Trip>()).first).name = "Elbrus"
        let change = #expect(throws: NSError.self) { try context.save() }
        context.rollback()
        context.insert(Trip(name: "Elbrus"))
        let insertion = #expect(throws: NSError.self) { try context.save() }
        for error in [change, insertion] {
            let error = try #require(error)
            #expect(error.localizedDescription.contains("read-only"), "\(error)")
            #expect(!"\(error) \(error.userInfo)".contains("istory"), "\(error)")
        }
    }
}
