import CoreData
import Testing

@testable import SwiftData

/// A context that saves for as long as a server runs keeps no identifiers that nobody holds.
@Suite struct SavedIdentifiersTests {
    @Test func whatNobodyHoldsIsForgotten() throws {
        let entity = NSEntityDescription()
        entity.name = "Trip"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        func identifier() -> NSManagedObjectID { NSManagedObject(entity: entity, insertInto: nil).objectID }
        var saved = SavedIdentifiers()
        let held = (0..<40).map { _ in (temporary: identifier(), now: identifier()) }
        for pair in held { saved.note(pair.now, for: pair.temporary) }
        for _ in 0..<10_000 { saved.note(held[0].now, for: identifier()) }
        #expect(saved.count <= 100)
        for pair in held { #expect(saved[pair.temporary] === pair.now) }
        #expect(saved[identifier()] == nil)
    }
}
