// Models for the tests of history and observers.

import Foundation
import SwiftData

@Model
class Vehicle {
    @Attribute(.preserveValueOnDeletion) var plate: String
    var wheels: Int
    @Relationship(deleteRule: .cascade, inverse: \Journey.vehicle) var journeys: [Journey] = []

    init(plate: String, wheels: Int = 4) {
        self.plate = plate
        self.wheels = wheels
    }
}

@Model
final class Truck: Vehicle {
    @Attribute(.preserveValueOnDeletion) var load: Double

    init(plate: String, load: Double) {
        self.load = load
        super.init(plate: plate, wheels: 6)
    }
}

@Model
final class Journey {
    var target: String
    var kilometres: Int?
    var vehicle: Vehicle?

    init(target: String, kilometres: Int? = nil) {
        self.target = target
        self.kilometres = kilometres
    }
}

/// A container over a file in a folder of its own.
struct HistoryFixture {
    private let folder: TemporaryFolder
    let url: URL
    let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("History.store")
        container = try Self.open(url)
    }

    static func open(_ url: URL) throws -> ModelContainer {
        let schema = Schema([Vehicle.self, Truck.self, Journey.self])
        return try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url))
    }

    /// A new context whose saves have an author.
    func context(author: String? = nil) -> ModelContext {
        let context = ModelContext(container)
        context.author = author
        return context
    }

    /// Saves one vehicle.
    @discardableResult
    func add(_ plate: String, author: String? = nil) throws -> PersistentIdentifier {
        let context = context(author: author)
        let vehicle = Vehicle(plate: plate)
        context.insert(vehicle)
        try context.save()
        return vehicle.persistentModelID
    }
}
