// Accessors with places: whether they are used where they fit, and everything is right where they don't.

@_spi(SwiftData) @testable import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.serialized) struct ManagedKeysTests {
    /// Returns the library's warnings while the closure runs.
    private func warnings(_ body: () throws -> Void) rethrows -> [String] {
        let said = Mutex<[String]>([])
        try Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) { try body() }
        return said.withLock { $0 }
    }

    @Test func accessorsUseTheirPlacesWhereTheyFit() throws {
        let stack = try TestStack(model: StarModel.make())
        let warned = try warnings {
            try stack.context.run { () throws in
                let star = try #require(stack.context.make("Star") as? Star)
                let planet = try #require(stack.context.make("Planet") as? Planet)
                #expect(star.fits && planet.fits)
                star.name = "Sol"
                star.mass = 2
                planet.star = star
                planet.name = "Terra"
                planet.moons = 1
                #expect(star.planets == [planet] && planet.name == "Terra" && planet.moons == 1)
                expect(planet["label"] as? String, equals: "Terra/1")
                try stack.context.save()
                for object in [star, planet] { stack.context.refresh(object, mergeChanges: false) }
                #expect(star.fits && star.mass == 2 && planet.star === star && planet.moons == 1)
                // Accessors that aren't generated for the class have no places.
                #expect(!stack.context.make("Comet").fits)
            }
        }
        #expect(warned.isEmpty)
    }

    @Test func aPlacedValueIsAtHandUnlessItsObjectIsAFaultOrObserved() throws {
        let (fitting, other) = (
            try TestStack(model: StarModel.make()),
            try TestStack(model: StarModel.make(adding: ["age", "zone"]))
        )
        try fitting.context.run { () throws in
            let star = try #require(fitting.context.make("Star") as? Star)
            let entity = star.entity
            let mass = try #require(entity.place(ofAttribute: "mass"))
            #expect(star.isAtHand(mass) && !star.isAtHand(ManagedAttribute("mass")))
            try fitting.context.save()
            fitting.context.refresh(star, mergeChanges: false)
            #expect(!star.isAtHand(mass))
            _ = star.mass
            #expect(star.isAtHand(mass))
            star.trackRead(of: "mass")
            #expect(!star.isAtHand(mass))
            try other.context.run { () throws in
                let misplaced = try #require(other.context.make("Star") as? Star)
                #expect(!misplaced.isAtHand(mass))
            }
        }
    }

    @Test func anotherModelsObjectsGoByKey() throws {
        let fitting = try TestStack(model: StarModel.make())
        let other = try TestStack(model: StarModel.make(adding: ["age", "zone"]))
        let warned = try warnings {
            try other.context.run { () throws in
                let star = try #require(other.context.make("Star") as? Star)
                let planet = try #require(other.context.make("Planet", ["age": 4]) as? Planet)
                #expect(!star.fits && !planet.fits)
                star.name = "Vega"
                star.mass = 3
                planet.name = "Terra"
                planet.moons = 5
                planet.star = star
                #expect(star.name == "Vega" && star.mass == 3 && star.planets == [planet])
                #expect(planet["age"] as? Int == 4 && planet["moons"] as? Int == 5)
                expect(planet["label"] as? String, equals: "Terra/5")
                planet.moons = nil
                #expect(planet.moons == nil && planet["moons"] == nil && planet.isInserted)
                planet.moons = 6
                try other.context.save()
            }
            let again = other.another()
            try again.run { () throws in
                let planet = try #require(try again.all("Planet").first as? Planet)
                #expect(planet.isFault && !planet.fits)
                #expect(planet.name == "Terra" && !planet.isFault && planet.moons == 6)
                #expect(planet.star?.name == "Vega" && planet.star?.planets.count == 1)
            }
        }
        // One line for each entity, however many objects and accesses.
        #expect(warned.count == 2 && warned.allSatisfy { $0.contains("Star") || $0.contains("Planet") })
        try fitting.context.run { () throws in
            #expect(try #require(fitting.context.make("Star") as? Star).fits)
        }
    }

    @Test func aPlaceOfAnotherTypeDoesNotFit() throws {
        let stack = try TestStack(model: StarModel.make(massType: .stringAttributeType))
        try stack.context.run { () throws in
            let star = stack.context.make("Star", ["mass": "heavy"])
            #expect(!star.fits && star["mass"] as? String == "heavy")
        }
    }

    @Test func oneClassForSeveralEntities() throws {
        // Dwarf has the class Star and its attributes one place further on; Giant has them as Star does.
        let stack = try TestStack(model: StarModel.make(dwarfs: true))
        try stack.context.run { () throws in
            let objects = ["Star", "Dwarf", "Giant"].compactMap { stack.context.make($0) as? Star }
            try #require(objects.count == 3)
            expect(objects.map(\.fits), equals: [true, false, true])
            for (number, object) in objects.enumerated() {
                object.mass = Double(number)
                object.name = "\(number)"
            }
            #expect(objects.map(\.mass) == [0, 1, 2] && objects.map(\.name) == ["0", "1", "2"])
            #expect(objects[1]["absent"] == nil)
        }
    }

    @Test func anObjectMadeOfAnotherClassThanItsEntitys() throws {
        let stack = try TestStack(model: StarModel.make())
        try stack.context.run { () throws in
            let entity = try #require(NSEntityDescription.entity(forEntityName: "Comet", in: stack.context))
            // The entity's class is NSManagedObject; Star's places aren't those of its attributes.
            let star = Star(entity: entity, insertInto: stack.context)
            #expect(!star.fits)
            star.name = "Halley"
            #expect(star.name == "Halley" && star["name"] as? String == "Halley")
        }
    }

    @Test func faultsObserversAndConcurrencyGoThroughPlacesToo() throws {
        let stack = try TestStack(model: StarModel.make())
        try stack.context.run { () throws in
            let star = try #require(stack.context.make("Star", ["name": "Sol", "mass": 1.0]) as? Star)
            var seen: [String] = []
            let observation = star.observe(["name", "mass"], options: []) { _, key, _ in seen.append(key) }
            #expect(star.mass == 1 && star.name == "Sol")
            star.mass = 2
            star.name = "Sun"
            #expect(seen == ["mass", "name"] && star.fits)
            observation.invalidate()
            try stack.context.save()
            stack.context.refresh(star, mergeChanges: false)
            #expect(star.isFault && star.name == "Sun" && !star.isFault && !star.hasChanges)
            star.mass = 3
            #expect(Set(star.changedValues().keys) == ["mass"] && star.hasPersistentChangedValues)
            stack.context.rollback()
            #expect(star.mass == 2 && star.fits)
            star.mass = 4
            try stack.context.save()
            stack.context.refresh(star, mergeChanges: true)
            expect(star.mass, equals: 4)
        }
    }
}

extension NSManagedObject {
    /// Whether the object's accessors use their places.
    fileprivate var fits: Bool { !state.traits.contains(.layoutMismatch) }
}

/// Stars and planets, which both are bodies with a name.
private enum StarModel {
    static func make(
        adding more: [String] = [], massType: NSAttributeType = .doubleAttributeType, dwarfs: Bool = false
    ) -> NSManagedObjectModel {
        let body = entity(
            "Body", more.map { ($0, .integer32AttributeType) } + [("name", .stringAttributeType)])
        body.managedObjectClassName = "CoreDataTests.Body"
        let star = entity("Star", [("mass", massType)])
        star.managedObjectClassName = "CoreDataTests.Star"
        let planet = entity("Planet", [("moons", .integer16AttributeType)])
        planet.managedObjectClassName = "CoreDataTests.Planet"
        let (planets, home) = (NSRelationshipDescription(), NSRelationshipDescription())
        (planets.name, planets.destinationEntity, planets.inverseRelationship) = ("planets", planet, home)
        (home.name, home.destinationEntity, home.inverseRelationship) = ("star", star, planets)
        home.maxCount = 1
        star.properties += [planets]
        planet.properties += [home]
        body.subentities = [star, planet]
        let comet = entity("Comet", [("absent", .stringAttributeType), ("name", .stringAttributeType)])
        let model = NSManagedObjectModel()
        model.entities = [body, star, planet, comet]
        if dwarfs {
            let dwarf = entity(
                "Dwarf",
                [("absent", .stringAttributeType), ("mass", massType), ("name", .stringAttributeType)])
            let giant = entity("Giant", [])
            for entity in [dwarf, giant] { entity.managedObjectClassName = "CoreDataTests.Star" }
            star.subentities = [giant]
            model.entities += [dwarf, giant]
        }
        return model
    }

    private static func entity(
        _ name: String, _ attributes: [(String, NSAttributeType)]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        return entity
    }
}

// As the generator writes them.

class Body: NSManagedObject {
    final var name: String? {
        get { self[ManagedAttribute("name", word: 1, index: 0)] }
        set { self[ManagedAttribute("name", word: 1, index: 0)] = newValue }
    }
}

class Body__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        keys.attribute("name", word: 1, index: 0, of: String?.self)
    }
}

class Star: Body {
    final var mass: Double {
        get { self[ManagedAttribute("mass", word: 2, index: 1)] }
        set { self[ManagedAttribute("mass", word: 2, index: 1)] = newValue }
    }
    final var planets: Set<Planet> {
        get { self[ManagedRelationship("planets", number: 2)] }
        set { self[ManagedRelationship("planets", number: 2)] = newValue }
    }
}

class Star__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        keys.attribute("mass", word: 2, index: 1, of: Double.self)
        keys.relationship("planets", number: 2)
    }
}

class Planet: Body {
    final var moons: Int16? {
        get { self[ManagedAttribute("moons", word: 2, index: 1)] }
        set { self[ManagedAttribute("moons", word: 2, index: 1)] = newValue }
    }
    final var star: Star? {
        get { self[ManagedRelationship("star", number: 2)] }
        set { self[ManagedRelationship("star", number: 2)] = newValue }
    }
}

class Planet__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        keys.attribute("moons", word: 2, index: 1, of: Int16?.self)
        keys.relationship("star", number: 2)
        keys.getter("label") { (planet: Planet) in "\(planet.name ?? "")/\(planet.moons ?? 0)" }
    }
}
