import CoreData
import CoreDataTestSupport
import Testing

@Suite struct PrimitiveAccessTests {
    private func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Badge"
        let (title, size) = (NSAttributeDescription(), NSAttributeDescription())
        (title.name, size.name) = ("title", "size")
        (title.attributeType, size.attributeType) = (.stringAttributeType, .integer16AttributeType)
        entity.properties = [title, size]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    @Test func primitiveValuesHaveTheAccessorsType() throws {
        let stack = try TestStack(model: model())
        try stack.context.run {
            let badge = stack.context.make("Badge")
            #expect((badge[primitive: "title"] as String?) == nil)
            expect((badge[primitive: "size"] as Int16), equals: 0)
            badge[primitive: "title"] = "abc"
            badge[primitive: "size"] = 3 as Int16
            expect((badge[primitive: "title"] as String?), equals: "abc")
            expect((badge[primitive: "title"] as String), equals: "abc")
            expect((badge[primitive: "size"] as Int), equals: 3)
            expect((badge[primitive: "size"] as NSNumber?), equals: 3)
            // Declared otherwise than the model: there is no nil, and no such value.
            #expect((badge[primitive: "title"] as Date?) == nil && (badge[primitive: "title"] as Int) == 0)
            badge[primitive: "title"] = nil as String?
            expect((badge[primitive: "title"] as String), equals: "")
            #expect(badge.primitiveValue(forKey: "title") == nil)
        }
    }

    /// Accessors made without a model pass the property's whole name.
    @Test func theModelInUseDecidesWhatAPrimitiveNameIs() throws {
        let model = model()
        let badge = try #require(model.entitiesByName["Badge"])
        badge.properties += [
            NSAttributeDescription("primitiveRank", .string), NSAttributeDescription("rank", .string),
            NSAttributeDescription("URL", .string),
        ]
        let stack = try TestStack(model: model)
        try stack.context.run {
            let badge = stack.context.make("Badge")
            badge[primitive: "primitiveTitle"] = "abc"
            expect(badge.primitiveValue(forKey: "title") as? String, equals: "abc")
            expect((badge[primitive: "primitiveTitle"] as String?), equals: "abc")
            badge[primitive: "primitiveSize"] = 4 as Int16
            expect((badge[primitive: "primitiveSize"] as Int16), equals: 4)
            badge[primitive: "primitiveRank"] = "own"
            expect(badge.primitiveValue(forKey: "primitiveRank") as? String, equals: "own")
            #expect(badge.primitiveValue(forKey: "rank") == nil)
            badge[primitive: "primitiveURL"] = "x"
            expect(badge.primitiveValue(forKey: "URL") as? String, equals: "x")
        }
    }

    @Test func nilAndOtherTypesAreBrokenContracts() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack(model: PrimitiveAccessTests().model())
            try stack.context.run {
                let badge = stack.context.make("Badge")
                let title: URL = badge[primitive: "title"]
                print(title)
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack(model: PrimitiveAccessTests().model())
            try stack.context.run {
                let badge = stack.context.make("Badge")
                badge[primitive: "title"] = "abc"
                let title: Date = badge[primitive: "title"]
                print(title)
            }
        }
    }
}
