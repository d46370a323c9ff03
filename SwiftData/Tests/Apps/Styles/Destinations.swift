// Models in the manners of tutorials: values that are inferred, relationships that initialisers make, subclasses of subclasses.

import Foundation
import Observation
import SwiftData

enum Mood: String, Codable, CaseIterable { case good, bad }

@Model final class Destination {
    @Attribute var name: String
    @Attribute() var details: String = ""
    var date = Date.now
    var priority = 2
    var moods: [Mood] = []
    var moodCounts = [String: Int]()
    var mood: Mood? = Mood.good
    @Relationship(deleteRule: .cascade) var sights = [Sight]()
    @Relationship var country: Country!
    var hash_ = "h"
    var `default` = 3
    @Transient var isOpen = false
    @Transient var summary: String { "\(name) \(priority)" }
    @Transient var counter: Int = 0 { didSet { changes += 1 } }
    @Transient var changes = 0
    @Transient let constant = 7
    @Transient weak var delegate: AnyObject?
    @Transient lazy var formatter = DateFormatter()
    @ObservationIgnored @Transient var ignored = 0
    nonisolated(unsafe) static var made = 0

    init(name: String = "", details: String = "", date: Date = .now, priority: Int = 2) {
        self.name = name
        self.details = details
        self.date = date
        self.priority = priority
        Destination.made += 1
    }
    deinit { Destination.made -= 1 }
}
extension Destination { nonisolated(unsafe) static var registry: [String] = [] }

@Model final class Sight {
    var name: String
    init(name: String) { self.name = name }
}
@Model final class Country {
    @Attribute(.unique) var code: String
    @Relationship(inverse: \Destination.country) var destinations = [Destination]()
    init(code: String) { self.code = code }
}

// Relations made in initialisers, by either side
@Model final class Node {
    var title: String
    var parent: Node?
    @Relationship(deleteRule: .cascade, inverse: \Node.parent) var children = [Node]()
    var owner: Tree?
    init(_ title: String, in parent: Node? = nil, tree: Tree? = nil) {
        self.title = title
        self.parent = parent
        self.owner = tree
        tree?.nodes.append(self)
    }
    init(child title: String, of parent: Node) {
        self.title = title
        parent.children.append(self)
    }
    var depth: Int { (parent?.depth ?? -1) + 1 }
    var all: [Node] { [self] + children.flatMap(\.all) }
    func walk(_ visit: (Node) throws -> Void) rethrows {
        try visit(self)
        for child in children { try child.walk(visit) }
    }
}
@Model final class Tree {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Node.owner) var nodes: [Node]
    init(name: String, titles: [String] = []) {
        self.name = name
        self.nodes = titles.map { Node($0) }
    }
}

// Three levels
@Model class Vehicle {
    var plate: String
    var wheels: Int { 4 }
    @Relationship(deleteRule: .nullify) var garage: Garage?
    init(plate: String) { self.plate = plate }
}
@Model class Car: Vehicle {
    var doors: Int
    init(plate: String, doors: Int) {
        self.doors = doors
        super.init(plate: plate)
    }
}
@Model final class Taxi: Car {
    #Index<Taxi>([\.company])
    var company: String
    @Relationship(inverse: \Driver.taxi) var drivers: [Driver] = []
    init(plate: String, company: String) {
        self.company = company
        super.init(plate: plate, doors: 4)
    }
}
@Model final class Bike: Vehicle {
    var gears: Int = 21
    override var wheels: Int { 2 }
    override init(plate: String) { super.init(plate: plate) }
}
@Model final class Garage {
    var name: String
    @Relationship(inverse: \Vehicle.garage) var vehicles: [Vehicle] = []
    var favourite: Car?
    init(name: String) { self.name = name }
}
@Model final class Driver {
    var name: String
    var taxi: Taxi?
    init(name: String) { self.name = name }
}

// Generic actor
@ModelActor actor Repo<T: PersistentModel> {
    func count(_ predicate: Predicate<T>? = nil) throws -> Int {
        try modelContext.fetchCount(FetchDescriptor<T>(predicate: predicate))
    }
    func ids(_ descriptor: FetchDescriptor<T> = .init()) throws -> [PersistentIdentifier] {
        try modelContext.fetchIdentifiers(descriptor)
    }
    func update(_ id: PersistentIdentifier, _ change: @Sendable (T) -> Void) throws {
        guard let model = self[id, as: T.self] else { return }
        change(model)
        try modelContext.save()
    }
}
protocol Counting: ModelActor {}
extension Counting {
    func total<T: PersistentModel>(of type: T.Type) throws -> Int {
        try modelContext.fetchCount(FetchDescriptor<T>())
    }
}
@ModelActor actor Counter: Counting {}

@globalActor actor Background { static let shared = Background() }
@Background final class Worker {
    let context: ModelContext
    init(_ container: ModelContainer) { context = ModelContext(container) }
    func add(_ code: String) throws -> PersistentIdentifier {
        let country = Country(code: code)
        context.insert(country)
        try context.save()
        return country.persistentModelID
    }
}

extension Predicate where repeat each Input: Any {
    static var nothing: Self { .false }
}
extension Destination {
    static let important = #Predicate<Destination> { $0.priority >= 3 }
    static func named(_ name: String) -> FetchDescriptor<Destination> {
        var d = FetchDescriptor(predicate: #Predicate<Destination> { $0.name == name })
        d.fetchLimit = 1
        return d
    }
}
