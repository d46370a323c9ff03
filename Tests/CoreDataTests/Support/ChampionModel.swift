// The model that tests of Swift's own query forms share. The classes are written as people write them: by key,
// primitively, by slots and handles.

import CoreData
import CoreDataTestSupport

enum ChampionModel {
    static func make() -> NSManagedObjectModel {
        let champion = entity(
            "Champion",
            [
                attribute("name", .stringAttributeType),
                attribute("nick", .stringAttributeType, optional: false),
                attribute("age", .integer64AttributeType), attribute("level", .integer32AttributeType),
                attribute("rate", .doubleAttributeType), attribute("isActive", .booleanAttributeType),
                attribute("isHuman", .booleanAttributeType, optional: false),
                attribute("born", .dateAttributeType), attribute("seen", .dateAttributeType),
                attribute("badge", .UUIDAttributeType),
                attribute("home", .URIAttributeType), attribute("worth", .decimalAttributeType),
                attribute("tags", .transformableAttributeType), attribute("photo", .binaryDataAttributeType),
            ])
        champion.attributesByName["isHuman"]?.defaultValue = true
        champion.attributesByName["nick"]?.defaultValue = "none"
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = true
        address.elements = [
            attribute("city", .stringAttributeType), attribute("zip", .integer32AttributeType),
        ]
        champion.properties += [address]
        let talent = entity(
            "Talent", [attribute("title", .stringAttributeType), attribute("force", .integer32AttributeType)])
        let trophy = entity("Trophy", [attribute("year", .integer16AttributeType)])
        relate(champion, "minions", true, champion, "boss")
        relate(champion, "talents", true, talent, "owner")
        relate(champion, "trophies", true, trophy, "winner")
        champion.relationshipsByName["trophies"]?.isOrdered = true
        let model = NSManagedObjectModel()
        model.entities = [champion, talent, trophy]
        return model
    }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "CoreDataTests." + name
        entity.properties = properties
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        return attribute
    }

    private static func relate(
        _ source: NSEntityDescription, _ name: String, _ isToMany: Bool, _ target: NSEntityDescription,
        _ inverseName: String
    ) {
        let (forward, backward) = (NSRelationshipDescription(), NSRelationshipDescription())
        (forward.name, backward.name) = (name, inverseName)
        (forward.destinationEntity, backward.destinationEntity) = (target, source)
        (forward.inverseRelationship, backward.inverseRelationship) = (backward, forward)
        (forward.maxCount, backward.maxCount) = (isToMany ? 0 : 1, 1)
        for relationship in [forward, backward] {
            relationship.deleteRule = .nullifyDeleteRule
            relationship.isOptional = true
        }
        source.properties += [forward]
        target.properties += [backward]
    }
}

class Champion: NSManagedObject {
    // By key.
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }
    var nick: String {
        get { value(forKey: "nick") as! String }  // required
        set { setValue(newValue, forKey: "nick") }
    }
    /// A number where the model has an optional one, as generated code has it: nil reads as 0.
    var age: Int64 {
        get { (value(forKey: "age") as? NSNumber)?.int64Value ?? 0 }
        set { setValue(newValue, forKey: "age") }
    }
    var boss: Champion? {
        get { value(forKey: "boss") as? Champion }
        set { setValue(newValue, forKey: "boss") }
    }
    var tags: [String]? {
        get { value(forKey: "tags") as? [String] }
        set { setValue(newValue, forKey: "tags") }
    }
    var address: [String: Any]? { value(forKey: "address") as? [String: Any] }
    // Primitively.
    var level: Int32? {
        get {
            willAccessValue(forKey: "level")
            defer { didAccessValue(forKey: "level") }
            return (primitiveValue(forKey: "level") as? NSNumber)?.int32Value
        }
        set { setValue(newValue, forKey: "level") }
    }
    // As generated code does.
    var rate: Double {
        get { self[ManagedAttribute("rate")] }
        set { self[ManagedAttribute("rate")] = newValue }
    }
    var isActive: Bool {
        get { self[ManagedAttribute("isActive")] }
        set { self[ManagedAttribute("isActive")] = newValue }
    }
    var isHuman: Bool {
        get { self[ManagedAttribute("isHuman")] }
        set { self[ManagedAttribute("isHuman")] = newValue }
    }
    var activity: Bool? { value(forKey: "isActive") as? Bool }
    var born: Date? {
        get { self[ManagedAttribute("born")] }
        set { self[ManagedAttribute("born")] = newValue }
    }
    /// A date as the seconds that it is, as scalar accessors on Apple's systems give it.
    var seen: TimeInterval {
        get { (value(forKey: "seen") as? Date)?.timeIntervalSinceReferenceDate ?? 0 }
        set { setValue(Date(timeIntervalSinceReferenceDate: newValue), forKey: "seen") }
    }
    var badge: UUID? {
        get { value(forKey: "badge") as? UUID }
        set { setValue(newValue, forKey: "badge") }
    }
    var home: URL? {
        get { value(forKey: "home") as? URL }
        set { setValue(newValue, forKey: "home") }
    }
    var worth: NSDecimalNumber? {
        get { value(forKey: "worth") as? NSDecimalNumber }
        set { setValue(newValue, forKey: "worth") }
    }
    var photo: Data? { self[ManagedAttribute("photo")] }
    var talents: Set<Talent> {
        get { self[ManagedRelationship("talents")] }
        set { self[ManagedRelationship("talents")] = newValue }
    }
    var minions: Set<Champion>? {
        get { value(forKey: "minions") as? Set<Champion> }
        set { setValue(newValue, forKey: "minions") }
    }
    var trophies: [Trophy] {
        get { self[ManagedRelationship("trophies")] }
        set { self[ManagedRelationship("trophies")] = newValue }
    }
    var chief: Champion? { self[ManagedRelationship("boss")] }

    // Calculated.
    var shout: String { nick.uppercased() }
    var isMinor: Bool { age < 18 }
    var label: String { "\(nick) (\(level ?? 0))" }
    var bossName: String? { boss?.name }
    var stored = 3
    var motto: String? { value(forKey: "slogan") as? String }
    var title: String { nick + "!" }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.getter("label") { (champion: Champion) in champion.label }
        keys.getter("slogan") { (champion: Champion) in "I am \(champion.nick)" }
        keys.getter("heading", \Champion.title)
    }
}

final class Talent: NSManagedObject {
    var title: String? {
        get { value(forKey: "title") as? String }
        set { setValue(newValue, forKey: "title") }
    }
    var force: Int32 {
        get { self[ManagedAttribute("force")] }
        set { self[ManagedAttribute("force")] = newValue }
    }
    var owner: Champion? {
        get { self[ManagedRelationship("owner")] }
        set { self[ManagedRelationship("owner")] = newValue }
    }
}

final class Trophy: NSManagedObject {
    var year: Int16 {
        get { self[ManagedAttribute("year")] }
        set { self[ManagedAttribute("year")] = newValue }
    }
    var winner: Champion? { self[ManagedRelationship("winner")] }
}
