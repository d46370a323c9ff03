// The methods of managed objects for relationships, by the names that code has for them.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct AccessorMethodsTests {
    private func sources(_ text: String) throws -> ManagedSources {
        ManagedSources(
            try ScratchSources(text).scan(), places: ClassPlaces([], moduleName: "App"), generated: [])
    }

    @Test func namesOfTheObjectiveCRuntimeAreKnown() throws {
        let managed = try sources(
            """
            import CoreData
            class Hero: NSManagedObject {
                @NSManaged func addFriendsObject(_ value: Hero)
                @NSManaged func removeFriendsObject(_ value: Hero)
                @NSManaged func addFriends(_ values: NSSet)
                @NSManaged func removeFriends(_ values: Set<Hero>)
            }
            """)
        expect(managed.problems, equals: [])
        for call in ["add(value0, to:", "remove(value0, from:"] {
            let parts = managed.text.components(
                separatedBy: call + " ManagedRelationship(\"friends\"))")
            expect(parts.count, equals: 3, "\(call)")
        }
    }

    @Test func mutableSetsAreRelationships() throws {
        let managed = try sources(
            """
            import CoreData
            class Hero: NSManagedObject {
                @NSManaged var friends: NSMutableSet
                @NSManaged var powers: NSMutableOrderedSet?
                @NSManaged func addToFriends(_ values: NSMutableSet)
            }
            """)
        expect(managed.problems, equals: [])
        #expect(managed.text.contains("self[ManagedAttribute(\"friends\")]"))
        #expect(managed.text.contains("self[ManagedAttribute(\"powers\")]"))
        #expect(managed.text.contains("add(value0, to: ManagedRelationship(\"friends\"))"))
    }
}
