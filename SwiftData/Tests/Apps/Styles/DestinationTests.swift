// Models in the manners of tutorials.

import Foundation
import SwiftData
import Testing

@Suite(.serialized) struct DestinationTests {
    let container: ModelContainer
    init() throws {
        container = try ModelContainer(
            for: Destination.self, Sight.self, Country.self, Node.self, Tree.self, Vehicle.self, Car.self,
            Taxi.self, Bike.self, Garage.self, Driver.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    @Test func destinations() throws {
        let context = ModelContext(container)
        let rome = Destination(name: "Rome", priority: 3)
        context.insert(rome)
        rome.sights.append(Sight(name: "Forum"))
        rome.sights += [Sight(name: "Pantheon")]
        rome.country = Country(code: "IT")
        rome.moods = [.good, .bad, .good]
        rome.moodCounts["a"] = 1
        rome.counter = 1
        rome.default = 4
        #expect(rome.changes == 1)
        #expect(rome.summary == "Rome 3")
        #expect(rome.constant == 7)
        #expect(rome.country.code == "IT")
        _ = rome.formatter
        try context.save()
        let other = ModelContext(container)
        let again = try #require(try other.fetch(Destination.named("Rome")).first)
        #expect(again.moods == [.good, .bad, .good])
        #expect(again.sights.map(\.name).sorted() == ["Forum", "Pantheon"])
        #expect(again.country?.destinations.first === again)
        #expect(again.mood == .good && again.default == 4 && again.moodCounts == ["a": 1])
        #expect(again.constant == 7 && again.counter == 0)
        #expect(try other.fetchCount(FetchDescriptor(predicate: Destination.important)) == 1)
        #expect(try other.fetch(FetchDescriptor<Destination>(predicate: .nothing)).isEmpty)
        rome.country = nil
        rome.sights.removeAll()
        try context.save()
        #expect(try other.fetchCount(FetchDescriptor<Destination>()) == 1)
        #expect(again.country == nil && again.sights.isEmpty)
    }
    @Test func nodesInInitialisers() throws {
        let context = ModelContext(container)
        let tree = Tree(name: "T", titles: ["a", "b"])
        context.insert(tree)
        let root = Node("root", tree: tree)
        #expect(root.modelContext === context)
        #expect(tree.nodes.count == 3)
        let leaf = Node("leaf", in: Node("middle", in: root))
        #expect(leaf.modelContext === context)
        let other = Node(child: "other", of: root)
        #expect(Set(root.children.map(\.title)) == ["middle", "other"])
        #expect(other.parent === root)
        #expect(leaf.depth == 2)
        #expect(root.all.count == 4)
        try context.save()
        #expect(
            try context.fetchCount(FetchDescriptor<Node>(predicate: #Predicate { $0.parent == nil })) == 3)
        #expect(
            try context.fetchCount(
                FetchDescriptor<Node>(predicate: #Predicate { $0.parent?.parent?.title == "root" })) == 1)
        let second = try #require(try ModelContext(container).fetch(FetchDescriptor<Tree>()).first)
        var seen = 0
        try second.nodes.first { $0.title == "root" }?.walk { _ in seen += 1 }
        #expect(seen == 4)
        context.delete(tree)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Node>()) == 0)
    }
    @Test func vehicles() throws {
        let context = ModelContext(container)
        let garage = Garage(name: "G")
        context.insert(garage)
        let (car, taxi, bike) = (Car(plate: "C", doors: 2), Taxi(plate: "T", company: "X"), Bike(plate: "B"))
        garage.vehicles = [car, taxi, bike]
        garage.favourite = taxi
        taxi.drivers = [Driver(name: "D")]
        try context.save()
        let other = ModelContext(container)
        func plates<T: Vehicle>(_ p: Predicate<T>?) throws -> [String] {
            try other.fetch(FetchDescriptor<T>(predicate: p, sortBy: [SortDescriptor(\.plate)])).map(\.plate)
        }
        #expect(try plates(nil as Predicate<Vehicle>?) == ["B", "C", "T"])
        #expect(try plates(nil as Predicate<Car>?) == ["C", "T"])
        #expect(
            try plates(#Predicate<Taxi> { $0.company == "X" && $0.doors == 4 && $0.plate == "T" }) == ["T"])
        #expect(try plates(#Predicate<Vehicle> { $0 is Car }) == ["C", "T"])
        #expect(try plates(#Predicate<Vehicle> { !($0 is Car) }) == ["B"])
        #expect(try plates(#Predicate<Vehicle> { ($0 as? Car)?.doors == 2 }) == ["C"])
        #expect(
            try plates(
                #Predicate<Vehicle> { v in
                    if let t = v as? Taxi { t.drivers.contains { $0.name == "D" } } else { false }
                }) == ["T"])
        #expect(
            try other.fetch(
                FetchDescriptor<Garage>(predicate: #Predicate { $0.vehicles.contains { $0 is Bike } })
            ).count == 1)
        #expect(
            try other.fetch(
                FetchDescriptor<Garage>(predicate: #Predicate { $0.vehicles.filter { $0 is Car }.count == 2 })
            ).count == 1)
        #expect(
            try other.fetch(FetchDescriptor<Garage>(predicate: #Predicate { $0.favourite is Taxi })).count
                == 1)
        let g = try #require(try other.fetch(FetchDescriptor<Garage>()).first)
        #expect(g.favourite is Taxi)
        #expect(g.vehicles.sorted { $0.plate < $1.plate }.map(\.wheels) == [2, 4, 4])
        #expect((g.favourite as? Taxi)?.drivers.first?.taxi === g.favourite)
        context.delete(car)
        try context.save()
        #expect(try plates(nil as Predicate<Vehicle>?) == ["B", "T"])
        try other.delete(model: Vehicle.self, where: #Predicate { $0 is Bike })
        try other.save()
        #expect(try plates(nil as Predicate<Vehicle>?) == ["T"])
    }
    @Test func actors() async throws {
        let worker = await Worker(container)
        let id = try await worker.add("DE")
        let repo = Repo<Country>(modelContainer: container)
        #expect(try await repo.count() == 1)
        #expect(try await repo.count(#Predicate { $0.code == "DE" }) == 1)
        #expect(try await repo.ids() == [id])
        try await repo.update(id) { $0.code = "FR" }
        #expect(try await Counter(modelContainer: container).total(of: Country.self) == 1)
        let code = await MainActor.run { (container.mainContext.model(for: id) as? Country)?.code }
        #expect(code == "FR")
    }
    @Test func livesOfModels() throws {
        let before = Destination.made
        do {
            let context = ModelContext(container)
            for n in 0..<10 { context.insert(Destination(name: "\(n)")) }
            try context.save()
        }
        #expect(Destination.made == before)
    }
}
