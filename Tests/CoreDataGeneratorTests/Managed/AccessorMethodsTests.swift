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

    /// `coredata port` leaves the attribute to Apple's systems.
    @Test func namesInAttributesTellWhatOthersMean() throws {
        let managed = try sources(
            """
            import CoreData
            class Hero: NSManagedObject {
                #if canImport(ObjectiveC)
                @objc(addFriendsObject:)
                #endif
                @NSManaged public func befriend(_ hero: Hero)
                #if canImport(ObjectiveC)
                @objc(removeObjectFromFriendsAtIndex:)
                #endif
                @NSManaged
                public func drop(number: Int)
                #if canImport(ObjectiveC)
                @objc(addFriends:)
                #endif
                @NSManaged func befriend(all heroes: NSSet)
            }
            """)
        expect(managed.problems, equals: [])
        let relationship = "ManagedRelationship(\"friends\")"
        #expect(managed.text.components(separatedBy: "add(value0, to: \(relationship))").count == 3)
        #expect(managed.text.contains("removeObject(at: value0, from: \(relationship))"))
    }

    @Test func attributesOfOtherDeclarationsDontCount() throws {
        let managed = try sources(
            """
            import CoreData
            class Hero: NSManagedObject {
                #if canImport(ObjectiveC)
                @objc(addFriendsObject:)
                #endif
                @NSManaged public func befriend(_ hero: Hero)
                @NSManaged public func greet(_ hero: Hero)
            }
            """)
        expect(managed.problems.count, equals: 1)
        #expect(managed.problems.first?.description.contains("greet(_:) isn't one of") == true)
    }
}
