// Store descriptions: views of their options.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSPersistentStoreDescriptionTests {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/a.sqlite"))

    @Test func theDefaultsAreApples() {
        expect(description.type, equals: NSSQLiteStoreType)
        expect(description.timeout, equals: 240)
        #expect(!description.isReadOnly)
        #expect(!description.shouldAddStoreAsynchronously)
        #expect(description.shouldMigrateStoreAutomatically)
        #expect(description.shouldInferMappingModelAutomatically)
        #expect(description.configuration == nil)
        #expect(description.sqlitePragmas.isEmpty)
    }

    @Test func propertiesAreViewsOfTheOptions() {
        description.isReadOnly = true
        description.timeout = 3
        description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
        expect(description.options[NSReadOnlyPersistentStoreOption], equals: NSNumber(value: true))
        expect(description.options[NSPersistentStoreTimeoutOption], equals: NSNumber(value: 3))
        expect(description.sqlitePragmas, equals: ["journal_mode": "DELETE" as NSString])
        description.setValue(nil, forPragmaNamed: "journal_mode")
        #expect(description.options[NSSQLitePragmasOption] == nil)
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        expect(description.options[NSPersistentHistoryTrackingKey], equals: NSNumber(value: true))
    }

    @Test func copiesAreEqualUntilTheyChange() throws {
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        expect(copy, equals: description)
        expect(copy.hash, equals: description.hash)
        copy.configuration = "Other"
        #expect(copy != description)
        #expect(description.configuration == nil)
    }
}
