// Schemas in files of SwiftData's.

import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SwiftDataSchemaTests {
    private static let text = """
        {"swiftDataSchema": {"major": 1, "minor": 0, "patch": 0}, "version": {"major": 2, "minor": 1, "patch": 0},
        "entities": [
        {"name": "Trip", "attributes": [
        {"name": "name", "originalName": "title", "options": [{"kind": {"unique": {}}}, {"kind": {"preserveValueOnDeletion": {}}}],
        "valueType": "String", "isOptional": false, "defaultValue": {"string": {"_0": "new"}}, "hashModifier": "2"},
        {"name": "days", "originalName": "days", "options": [], "valueType": "Int", "isOptional": true,
        "defaultValue": {"integer": {"_0": 3}}},
        {"name": "day", "originalName": "day", "options": [{"kind": {"ephemeral": {}}}], "valueType": "Date", "isOptional": true,
        "defaultValue": {"date": {"_0": 5}}},
        {"name": "colour", "originalName": "colour", "options": [{"kind": {"transformable": {"_0": "Colours"}}}],
        "valueType": "Data", "isOptional": true},
        {"name": "place", "originalName": "place", "options": [{"kind": {"externalStorage": {}}}], "valueType": "Codable",
        "isOptional": true},
        {"name": "route", "originalName": "route", "options": [], "valueType": "Codable", "isOptional": true, "elements": [
        {"name": "length", "originalName": "length", "options": [], "valueType": "Double", "isOptional": false}]}],
        "relationships": [{"name": "stops", "originalName": "stops", "options": [], "destination": "Stop", "inverseName": "trip",
        "deleteRule": "cascade", "minimumModelCount": 1, "maximumModelCount": 4, "isToOne": false, "isOptional": false}],
        "uniquenessConstraints": [["name"]], "indices": [["name", "days"], ["days"]], "rectangleIndices": [["days"]]},
        {"name": "Stop", "attributes": [], "relationships": [{"name": "trip", "originalName": "trip", "options": [],
        "destination": "Trip", "inverseName": "stops", "deleteRule": "nullify", "isToOne": true, "isOptional": true}],
        "uniquenessConstraints": [], "indices": [], "rectangleIndices": []},
        {"name": "Halt", "superentity": "Stop", "attributes": [], "relationships": [], "uniquenessConstraints": [],
        "indices": [], "rectangleIndices": []}]}
        """

    private func read(_ text: String) throws -> ModelSchema {
        let folder = try TemporaryFolder()
        let url = folder.file("Trips.json")
        try Data(text.utf8).write(to: url)
        return try ModelFile.read(url)
    }

    @Test func everythingIsRead() throws {
        let model = try read(Self.text)
        expect(model.versionIdentifiers, equals: ["2.1.0"])
        expect(model.entities.map(\.name), equals: ["Trip", "Stop", "Halt"])
        let trip = model.entities[0]
        expect(model.entities[2].superentityName, equals: "Stop")
        let (name, days, day) = (trip.properties[0], trip.properties[1], trip.properties[2])
        #expect(
            name.attribute?.type == .string && name.attribute?.defaultValue == .string("new")
                && !name.isOptional)
        #expect(name.renamingIdentifier == "title" && name.versionHashModifier == "2")
        expect(name.attribute?.preservesValueInHistoryOnDeletion, equals: true)
        #expect(
            days.attribute?.type == .integer64 && days.attribute?.defaultValue == .integer(3)
                && days.isOptional)
        #expect(day.isTransient && day.attribute?.type == .date && day.attribute?.defaultValue == .null)
        expect(trip.properties[3].attribute?.valueTransformerName, equals: "Colours")
        expect(trip.properties[3].attribute?.type, equals: .transformable)
        expect(trip.properties[4].attribute?.type, equals: .binaryData)
        expect(trip.properties[4].attribute?.allowsExternalBinaryDataStorage, equals: true)
        expect(trip.properties[5].attribute?.type, equals: .composite)
        expect(trip.properties[5].attribute?.elements.map(\.attribute?.type), equals: [.double])
        let stops = try #require(trip.properties[6].relationship)
        #expect(
            stops.destinationEntityName == "Stop" && stops.inverseName == "trip"
                && stops.deleteRule == .cascade)
        #expect(stops.minCount == 1 && stops.maxCount == 4 && !trip.properties[6].isOptional)
        expect(model.entities[1].properties[0].relationship?.maxCount, equals: 1)
        expect(trip.uniquenessConstraints, equals: [["name"]])
        expect(trip.indexes.map(\.name), equals: ["index0_name_days", "index1_days"])
        expect(trip.indexes[1].elements.map(\.collation), equals: [.rTree])
        #expect(ModelSoundness.flaw(in: model) == nil)
    }

    @Test(arguments: ["", "{", "[]", "{\"entities\": []}", "{\"swiftDataSchema\": 1}"])
    func otherFilesAreRefused(_ text: String) throws {
        #expect(throws: ModelFileError.self) { try read(text) }
    }
}
