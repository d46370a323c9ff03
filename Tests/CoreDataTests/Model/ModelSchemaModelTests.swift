// Between the model classes and the model as a value, both ways.

import CoreData
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct ModelSchemaModelTests {
    @Test func whatTheClassesSayComesOut() throws {
        let schema = SampleModel.make().schema
        let car = try #require(schema.entities.first { $0.name == "Car" })
        expect(car.superentityName, equals: "Vehicle")
        expect(car.properties.map(\.name), equals: ["doors", "place", "plateForSearch", "owner"])
        expect(car.properties[0].attribute?.type, equals: .integer32)
        expect(car.properties[1].attribute?.elements.map(\.name), equals: ["latitude", "longitude"])
        expect(
            car.properties[2].attribute?.derivation?.expression,
            equals: .function(operand: nil, name: "canonical:", arguments: [.keyPath("plate")]))
        let owner = try #require(car.properties[3].relationship)
        expect(owner.destinationEntityName, equals: "Owner")
        expect(owner.inverseName, equals: "cars")
        expect(owner.maxCount, equals: 1)
        let vehicle = try #require(schema.entities.first { $0.name == "Vehicle" })
        #expect(vehicle.isAbstract)
        expect(vehicle.uniquenessConstraints, equals: [["plate"]])
        expect(vehicle.indexes[0].elements, equals: [.init(.property("plate"), isAscending: false)])
        #expect(vehicle.indexes[0].partialPredicate != nil)
        expect(schema.configurations, equals: [.init(name: "Machines", entityNames: ["Vehicle", "Car"])])
        expect(schema.fetchTemplates.map(\.name), equals: ["WithDoors"])
        expect(schema.versionIdentifiers, equals: ["1.0"])
        let cars = schema.entities.first { $0.name == "Owner" }?.properties.first { $0.name == "cars" }
        expect(cars?.relationship?.isOrdered, equals: true)
        expect(cars?.relationship?.deleteRule, equals: .cascade)
    }

    @Test func thereAndBackIsTheSame() {
        let schema = SampleModel.make().schema
        expect(NSManagedObjectModel(schema: schema).schema, equals: schema)
    }

    @Test func everyFeatureSurvives() {
        var attribute = AttributeTraits(.binaryData)
        attribute.defaultValue = .data(Data([1, 2]))
        attribute.valueTransformerName = "T"
        attribute.valueClassName = "NSImage"
        attribute.allowsExternalBinaryDataStorage = true
        attribute.preservesValueInHistoryOnDeletion = true
        attribute.allowsCloudEncryption = true
        attribute.usesScalarValueType = true
        attribute.compositeName = "C"
        var property = PropertySchema(name: "p", kind: .attribute(attribute))
        property.isOptional = false
        property.isTransient = true
        property.isIndexed = true
        property.isIndexedBySpotlight = true
        property.validation = [
            ValidationRule(predicate: .constant(true), warning: .integer(1670)),
            ValidationRule(predicate: .constant(false), warning: .string("no")),
        ]
        property.userInfo = [.string("k"): .string("v")]
        property.renamingIdentifier = "q"
        property.versionHashModifier = "m"
        var entity = EntitySchema(name: "E", properties: [property])
        entity.className = "E"
        entity.classModule = "."
        entity.codeGeneration = "class"
        entity.compoundIndexes = [["p", "q"]]
        entity.userInfo = [.string("k"): .integer(1)]
        entity.renamingIdentifier = "F"
        entity.versionHashModifier = "2"
        entity.coreSpotlightDisplayNameExpression = .keyPath("p")
        entity.recordedVersionHash = Data(repeating: 7, count: 32)
        entity.indexes = [
            FetchIndexSchema(
                name: "i",
                elements: [
                    .init(.expression(name: "x", .keyPath("p"), resultType: .string), collation: .rTree)
                ])
        ]
        let model = ModelSchema(entities: [entity])
        expect(NSManagedObjectModel(schema: model).schema, equals: model)
    }

    @Test func defaultsAreNumbersOfTheAttributesKind() {
        func stored(_ value: Any?, _ type: NSAttributeDescription.AttributeType) -> Value? {
            let entity = NSEntityDescription("E")
            let attribute = NSAttributeDescription("a", type)
            attribute.defaultValue = value
            entity.properties = [attribute]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            return model.schema.entities[0].properties[0].attribute?.defaultValue
        }
        expect(stored(1, .boolean), equals: .bool(true))
        expect(stored(true, .boolean), equals: .bool(true))
        expect(stored(NSNumber(value: true), .integer16), equals: .integer(1))
        expect(stored(3, .double), equals: .double(3))
        expect(stored(NSNumber(value: 2.5), .float), equals: .double(2.5))
        expect(
            stored(NSDecimalNumber(string: "1.25"), .decimal), equals: .decimal(Decimal(string: "1.25") ?? 0))
        expect(stored(Int16(5), .decimal), equals: .decimal(5))
        expect(stored("text", .string), equals: .string("text"))
        expect(stored(NSString(string: "text"), .string), equals: .string("text"))
        expect(stored(Optional<Int>.none as Any, .integer64), equals: .null)
        expect(stored(NSNull(), .integer64), equals: .null)
        expect(stored(Float(0.5), .float), equals: .double(0.5))
        expect(stored(Data([9]), .binaryData), equals: .data(Data([9])))
        expect(
            stored(Date(timeIntervalSinceReferenceDate: 5), .date),
            equals: .date(Date(timeIntervalSinceReferenceDate: 5)))
    }

    @Test func defaultsComeBackAsWhatClientsCastThemTo() throws {
        var attribute = AttributeTraits(.integer16)
        attribute.defaultValue = .integer(7)
        let schema = ModelSchema(entities: [
            EntitySchema(name: "E", properties: [PropertySchema(name: "a", kind: .attribute(attribute))])
        ])
        let value = NSManagedObjectModel(schema: schema).entities[0].attributesByName["a"]?.defaultValue
        expect(value as? Int, equals: 7)
        expect(value as? Int16, equals: 7)
        expect(value as? NSNumber, equals: 7)
    }

    @Test func twoEntitiesOfOneNameStopTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let model = NSManagedObjectModel()
            model.entities = [NSEntityDescription("E"), NSEntityDescription("E")]
            model.freeze()
        }
        await #expect(processExitsWith: .failure) {
            let model = NSManagedObjectModel()
            model.entities = [NSEntityDescription()]
            model.freeze()
        }
    }
}
