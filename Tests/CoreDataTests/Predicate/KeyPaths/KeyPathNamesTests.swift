// The keys that Swift key paths read.

import CoreData
import CoreDataTestSupport
import Testing

/// No model has it.
private final class Stranger: NSManagedObject {
    var name: String? { value(forKey: "name") as? String }
}

/// Knows its keys itself.
private final class Guide: NSManagedObject {
    var motto: String { "Follow me" }

    override class func key(for keyPath: AnyKeyPath) -> String? {
        keyPath == \Guide.motto ? "saying" : super.key(for: keyPath)
    }
}

/// A value that no attribute has by itself.
struct Look: Equatable { let colour: String }

/// Without an entity in any model; its companion states its key paths, as generated code does.
class Beacon: NSManagedObject {
    var look: Look { self[ManagedAttribute("look")] }
    var signals: [String] { self[ManagedAttribute("signals")] }
}

final class Beacon__Keys: ManagedKeys {
    override class func registerKeyPaths(in keys: inout KeyRegistry) { keys.register(keyPaths) }

    /// As in a target of the main actor. Key paths are named on any thread.
    @MainActor private static func keyPaths(in keys: inout KeyRegistry) {
        keys.keyPath("look", \Beacon.look)
    }
}

final class Flare: Beacon {}

final class Flare__Keys: ManagedKeys {
    override class func registerKeyPaths(in keys: inout KeyRegistry) {
        keys.keyPath("look", \Flare.look)
    }
}

/// Nobody states its key paths.
final class Basket: NSManagedObject {
    var tags: [String] { self[ManagedAttribute("tags")] }
    var names: NSSet { self[ManagedAttribute("tags")] }
    var look: Look { self[ManagedAttribute("look")] }
}

@Suite struct KeyPathNamesTests {
    private let stack: TestStack

    init() throws {
        stack = try TestStack(model: ChampionModel.make())
    }

    private func name<Value>(_ keyPath: KeyPath<Champion, Value>) -> String? { Champion.key(for: keyPath) }

    @Test func propertiesHaveTheirKeyHoweverTheyAreRead() {
        expect(name(\.name), equals: "name")
        expect(name(\.nick), equals: "nick")
        expect(name(\.age), equals: "age")
        expect(name(\.level), equals: "level")
        expect(name(\.rate), equals: "rate")
        expect(name(\.isActive), equals: "isActive")
        expect(name(\.isHuman), equals: "isHuman")
        expect(name(\.activity), equals: "isActive")
        expect(name(\.born), equals: "born")
        expect(name(\.seen), equals: "seen")
        expect(name(\.badge), equals: "badge")
        expect(name(\.home), equals: "home")
        expect(name(\.worth), equals: "worth")
        expect(name(\.photo), equals: "photo")
        expect(name(\.tags), equals: "tags")
    }

    @Test func relationshipsAndPathsAlongThemHaveNames() {
        expect(name(\.boss), equals: "boss")
        expect(name(\.chief), equals: "boss")
        expect(name(\.talents), equals: "talents")
        expect(name(\.minions), equals: "minions")
        expect(name(\.trophies), equals: "trophies")
        expect(name(\.boss?.name), equals: "boss.name")
        expect(name(\.boss?.boss?.age), equals: "boss.boss.age")
        expect(name(\.chief?.boss?.talents), equals: "boss.boss.talents")
        // A property that hands a path on has its name.
        expect(name(\.bossName), equals: "boss.name")
        expect(Talent.key(for: \Talent.owner?.boss?.nick), equals: "owner.boss.nick")
    }

    @Test func theObjectAndItsFlagsHaveNames() {
        expect(name(\.self), equals: "self")
        expect(name(\.objectID), equals: "objectID")
        expect(name(\.boss?.objectID), equals: "boss.objectID")
        expect(name(\.isDeleted), equals: "isDeleted")
        expect(name(\.hasChanges), equals: "hasChanges")
    }

    @Test func gettersThatTheClassStatesHaveTheirKey() {
        expect(name(\.label), equals: "label")
        expect(name(\.motto), equals: "slogan")
        expect(name(\.title), equals: "heading")
        expect(Guide.key(for: \Guide.motto), equals: "saying")
    }

    @Test func whatIsComputedHasNoName() {
        #expect(name(\.shout) == nil)
        #expect(name(\.isMinor) == nil)
        #expect(name(\.stored) == nil)
        #expect(name(\.name?.count) == nil)
        #expect(name(\.talents.count) == nil)
        #expect(name(\.boss?.shout) == nil)
        #expect(name(\.trophies.first) == nil)
    }

    @Test func statedKeyPathsNeedNeitherModelNorValue() {
        expect(Beacon.key(for: \Beacon.look), equals: "look")
        expect(Flare.key(for: \Flare.look), equals: "look")
        #expect(Flare.key(for: \Flare.signals) == nil)
    }

    private static var basketModel: NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = ("Basket", "Basket")
        entity.properties = ["tags", "look"].map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, .transformableAttributeType)
            return attribute
        }
        model.entities = [entity]
        return model
    }

    @Test func collectionsThatAreNotOptionalHaveTheirKey() throws {
        let stack = try TestStack(model: Self.basketModel)
        expect(Basket.key(for: \Basket.tags), equals: "tags")
        expect(Basket.key(for: \Basket.names), equals: "tags")
        withExtendedLifetime(stack) {}
    }

    @Test func theKeyPathsOwnString() {
        expect((\Champion.name)._kvcKeyPathString, equals: "name")
        expect((\Champion.boss?.name as AnyKeyPath)._kvcKeyPathString, equals: "boss.name")
        expect((\Beacon.look)._kvcKeyPathString, equals: "look")
        #expect((\Champion.shout)._kvcKeyPathString == nil)
        #expect((\String.count)._kvcKeyPathString == nil)
    }

    @Test func expressionsGiveTheNameOfAKeyPath() {
        expect(NSExpression(forKeyPath: \Champion.boss?.name).keyPath, equals: "boss.name")
    }

    @Test func nothingIsLeftOfTheReading() throws {
        try stack.context.run {
            let champion = Champion(context: stack.context)
            champion.nick = "a"
            _ = name(\.nick)
            expect(champion.nick, equals: "a")
            expect(stack.context.registeredObjects, equals: [champion])
        }
    }

    @Test func aKeyPathWithoutANameRaises() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack(model: ChampionModel.make())
            _ = NSSortDescriptor(keyPath: \Champion.shout, ascending: true)
            withExtendedLifetime(stack) {}
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack(model: ChampionModel.make())
            _ = NSExpression(forKeyPath: \Champion.isMinor)
            withExtendedLifetime(stack) {}
        }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forKeyPath: \Stranger.name) }
    }

    @Test func aSortDescriptorMayComeBeforeTheModel() async {
        await #expect(processExitsWith: .success) {
            let early = NSSortDescriptor(keyPath: \Champion.boss?.name, ascending: false)
            let stack = try TestStack(model: ChampionModel.make())
            guard early.key == "boss.name", !early.ascending,
                early == NSSortDescriptor(key: "boss.name", ascending: false)
            else { fatalError("the key isn't there") }
            withExtendedLifetime(stack) {}
        }
    }
}
