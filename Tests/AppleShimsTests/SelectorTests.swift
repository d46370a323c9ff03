import AppleShims
import CoreData
import Testing

final class Ship: NSManagedObject {
    var title: String { "SS " + (value(forKey: "name") as? String ?? "") }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.getter("title", \Ship.title)
        keys.setter("captain") { (_: Ship, _: String?) in }
        keys.validator("name") { (_: Ship, _: inout Any?) in }
    }
}

struct SelectorTests {
    private func ship() throws -> (Ship, NSManagedObjectContext) {
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        let escort = NSFetchedPropertyDescription()
        escort.name = "escort"
        let entity = NSEntityDescription()
        entity.name = "Ship"
        entity.managedObjectClassName = NSStringFromClass(Ship.self)
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        escort.fetchRequest = request
        entity.properties = [name, escort]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        return (Ship(entity: entity, insertInto: context), context)
    }

    @Test func selectorsAreNames() {
        #expect(Selector("name") == NSSelectorFromString("name") && Selector("a") != "b")
        #expect(NSStringFromSelector("setName:") == "setName:" && "\(Selector("x:y:"))" == "x:y:")
    }

    @Test(arguments: [
        "description", "objectID", "isDeleted", "copy", "awakeFromInsert", "valueForKey:", "setValue:forKey:",
        "mutableSetValueForKeyPath:", "willChange:valuesAtIndexes:forKey:",
        "validateForInsert:",
    ])
    func allManagedObjectsHaveSomeMembers(_ name: String) throws {
        #expect(NSManagedObject.instancesRespond(to: Selector(name)))
        #expect(Ship.instancesRespond(to: Selector(name)))
        #expect(try ship().0.responds(to: NSSelectorFromString(name)))
    }

    @Test func classesHaveWhatTheyRegister() {
        for name in ["title", "setCaptain:", "validateName:error:"] {
            #expect(Ship.instancesRespond(to: Selector(name)), "\(name)")
            #expect(!NSManagedObject.instancesRespond(to: Selector(name)), "\(name)")
        }
        for name in [
            "captain", "setTitle:", "name", "setcaptain:", "", ":", "set:", "hashValue", "nonsense:",
        ] {
            #expect(!Ship.instancesRespond(to: Selector(name)), "\(name)")
        }
        #expect(!Ship.instancesRespond(to: nil))
    }

    @Test func objectsHaveThePropertiesOfTheirEntity() throws {
        let (ship, context) = try ship()
        withExtendedLifetime(context) {
            for name in ["name", "setName:", "escort", "title"] {
                #expect(ship.responds(to: Selector(name)), "\(name)")
            }
            for name in ["setEscort:", "setSpeed:", "speed", "validateSpeed:error:", "validateEscort:error:"]
            {
                #expect(!ship.responds(to: Selector(name)), "\(name)")
            }
            #expect(!ship.responds(to: nil))
        }
    }
}
