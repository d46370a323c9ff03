import Foundation
import SwiftData
import Testing

@Suite struct PersistentIdentifierTests {
    @Test func aSavedModelIsFoundByItsEncodedIdentifier() throws {
        let container = try makeContainer()
        let context = ModelContext(container)
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        let temporary = trip.persistentModelID
        #expect(temporary.isTemporary)
        #expect(temporary.storeIdentifier == nil)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(temporary) }
        try context.save()
        let identifier = trip.persistentModelID
        #expect(!identifier.isTemporary)
        #expect(identifier.entityName == "Trip")
        #expect(identifier.storeIdentifier != nil)
        let coded = try JSONDecoder().decode(
            PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
        #expect(coded == identifier)
        #expect(coded.id == identifier.id)
        #expect(Set([coded, identifier]).count == 1)
        let other = ModelContext(container)
        #expect((other.model(for: coded) as? Trip)?.name == "Ararat")
        let stated = try PersistentIdentifier.identifier(
            for: try #require(identifier.storeIdentifier), entityName: "Trip", primaryKey: 1)
        #expect(stated == identifier)
        #expect(!(stated < identifier))
    }
}
