import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct SchemaTests {
    let schema = Schema([Trip.self, BusinessTrip.self], version: Schema.Version(1, 2, 3))

    @Test func relatedModelsBelongToTheSchema() {
        #expect(schema.entities.map(\.name) == ["BusinessTrip", "Stop", "Traveller", "Trip"])
        #expect(schema.entitiesByName["Stop"]?.name == "Stop")
        #expect(schema.version == Schema.Version(1, 2, 3))
        #expect(schema.version.description == "1.2.3")
        #expect(Schema.Version(1, 2, 3) < Schema.Version(1, 10, 0))
        #expect(schema.encodingVersion == Schema.schemaEncodingVersion)
        #expect(Schema.entityName(for: Trip.self) == "Trip")
        #expect(schema.entity(for: Trip.self)?.name == "Trip")
        #expect(Schema().entities.isEmpty)
        #expect(Schema(Trip.self, BusinessTrip.self, version: Schema.Version(1, 2, 3)) == schema)
        #expect(Schema(versionedSchema: NotesV2.self).version == Schema.Version(2, 0, 0))
        #expect((schema.version.major, schema.version.minor, schema.version.patch) == (1, 2, 3))
    }

    @Test func attributesHaveTheirTypesAndDefaults() throws {
        let trip = try #require(schema.entity(for: Trip.self))
        let days = try #require(trip.attributesByName["days"])
        #expect(days.defaultValue as? Int == 3)
        #expect(days.valueType is Int.Type)
        #expect(
            !days.isOptional && !days.isUnique && !days.isTransient && days.isAttribute
                && !days.isRelationship)
        #expect(days.originalName == "days")
        #expect(days.hashModifier == nil && days.options.isEmpty)
        #expect(trip.attributesByName["begin"]?.isOptional == true)
        #expect(trip.attributesByName["place"]?.isCodable == false)
        let place = trip.attributesByName["place"] as? Schema.CompositeAttribute
        #expect(place?.properties.map(\.name) == ["latitude", "longitude", "label"])
        #expect(place?.properties.map(\.isOptional) == [false, false, true])
        #expect(trip.attributesByName["tags"]?.isCodable == true)
        #expect(trip.attributesByName["weather"]?.isCodable == false)
        #expect(trip.attributesByName["notes"] == nil)
        #expect(trip.attributes.count == trip.attributesByName.count)
        let traveller = try #require(schema.entity(for: Traveller.self))
        #expect(traveller.attributesByName["email"]?.isUnique == true)
        #expect(traveller.attributesByName["email"]?.isTransformable == false)
        #expect(traveller.uniquenessConstraints == [["email"]])
    }

    @Test func relationshipsFindTheirInverses() throws {
        let trip = try #require(schema.entity(for: Trip.self))
        let stops = try #require(trip.relationshipsByName["stops"])
        #expect(stops.destination == "Stop")
        #expect(stops.inverseName == "trip")
        #expect(stops.inverseKeyPath == \Stop.trip)
        #expect(stops.keypath == \Trip.stops)
        #expect(stops.deleteRule == .cascade)
        #expect(!stops.isToOneRelationship && stops.isRelationship && !stops.isAttribute)
        #expect(stops.minimumModelCount == 0 && stops.maximumModelCount == 0)
        #expect(stops.options.isEmpty && stops.hashModifier == nil)
        #expect(trip.relationshipsByName["traveller"]?.inverseName == "trips")
        #expect(trip.relationships.count == 2)
        #expect(schema.entity(for: Stop.self)?.relationshipsByName["trip"]?.isToOneRelationship == true)
    }

    @Test func subclassesAreSubentities() throws {
        let (trip, business) = (
            try #require(schema.entity(for: Trip.self)), try #require(schema.entity(for: BusinessTrip.self))
        )
        #expect(business.superentity == trip)
        #expect(business.superentityName == "Trip")
        #expect(trip.subentities == [business])
        #expect(business.storedProperties.map(\.name) == ["company"])
        #expect(business.storedPropertiesByName.keys.sorted() == ["company"])
        #expect(business.inheritedPropertiesByName["name"]?.name == "name")
        #expect(business.inheritedProperties.count == trip.properties.count)
        #expect(business.properties.count == trip.properties.count + 1)
    }

    @Test func aSchemaIsReadFromItsFile() throws {
        let folder = try TemporaryFolder()
        try schema.save(to: folder.file("Trips.json"))
        let read = try Schema.load(from: folder.file("Trips.json"))
        #expect(read == schema)
        #expect(read.entitiesByName["BusinessTrip"]?.superentityName == "Trip")
        try Data("{}".utf8).write(to: folder.file("Other.json"))
        #expect(throws: DecodingError.self) { try Schema.load(from: folder.file("Other.json")) }
    }

    @Test func schemasAreDescribedInCode() throws {
        let place = Schema.CompositeAttribute(name: "place", valueType: Data?.self)
        place.properties = [
            Schema.Attribute(name: "latitude", valueType: Double.self, defaultValue: 1.5),
            Schema.Attribute(name: "longitude", valueType: Double.self),
        ]
        let name = Schema.Attribute(
            name: "name", originalName: "title", options: [.unique, .spotlight], valueType: String.self,
            defaultValue: "?", hashModifier: "2")
        let city = Schema.Entity("City", properties: name, place)
        let schema = Schema(
            Schema.Entity(
                "Area", subentities: city, properties: Schema.Attribute(name: "size", valueType: Int.self)),
            city,
            Schema.Entity("Empty"))
        #expect(schema.entities.map(\.name) == ["Area", "City", "Empty"])
        #expect(place.debugDescription == "CompositeAttribute(place: latitude, longitude)")
        let coded = try JSONDecoder().decode(
            Schema.CompositeAttribute.self, from: JSONEncoder().encode(place))
        #expect(coded == place)
        #expect(city.superentityName == "Area")
        let folder = try TemporaryFolder()
        try schema.save(to: folder.file("City.json"))
        let read = try Schema.load(from: folder.file("City.json"))
        #expect(read == schema)
        #expect(
            (read.entitiesByName["City"]?.storedPropertiesByName["place"] as? Schema.CompositeAttribute)?
                .properties
                .first?.defaultValue as? Double == 1.5)
    }

    @Test func aSchemaIsAManagedObjectModel() throws {
        let model = try #require(
            NSManagedObjectModel.makeManagedObjectModel(for: [Trip.self, BusinessTrip.self]))
        let trip = try #require(model.entitiesByName["Trip"])
        #expect(trip.attributesByName["days"]?.attributeType == .integer64AttributeType)
        #expect(trip.attributesByName["days"]?.isOptional == false)
        #expect(trip.attributesByName["weather"]?.attributeType == .stringAttributeType)
        #expect(trip.attributesByName["place"]?.attributeType == .compositeAttributeType)
        #expect(trip.relationshipsByName["stops"]?.deleteRule == .cascadeDeleteRule)
        #expect(trip.relationshipsByName["stops"]?.inverseRelationship?.name == "trip")
        #expect(model.entitiesByName["BusinessTrip"]?.superentity === trip)
    }
}
