// A fault of a mapping model is an error that names the mapping and the property.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MappingFailureTests {
    /// Migrates one book by a mapping that `change` breaks, and gives the error.
    private func failure(
        _ change: (NSMappingModel, NSEntityMapping) throws -> Void
    ) throws -> (any Error)? {
        NSEntityMigrationPolicy.register(BookPolicy.self)
        let container = try StoreKind.sqlite.makeContainer(LibraryModels.first())
        try LibraryModels.fill(container.newBackgroundContext(), books: 4)
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let mapping = LibraryModels.mapping(old, new)
        let book = try #require(mapping.entityMappingsByName["BookToBook"])
        book.relationshipMappings = nil
        mapping.entityMappings = [book]
        try change(mapping, book)
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        let destination = container.folder.file("New.sqlite")
        do {
            try manager.migrateStore(
                from: try #require(container.store.url), sourceType: NSSQLiteStoreType, with: mapping,
                toDestinationURL: destination, destinationType: NSSQLiteStoreType)
            return nil
        } catch {
            #expect(!FileManager.default.fileExists(atPath: destination.path))
            return error
        }
    }

    private func expect(
        _ reason: String, in property: String? = "title", code: Int = NSMigrationError,
        _ change: (NSMappingModel, NSEntityMapping) throws -> Void
    ) throws {
        let error = try #require(try failure(change)) as NSError
        #expect(error.domain == NSCocoaErrorDomain && error.code == code)
        #expect(error.userInfo["entity"] as? String == "BookToBook")
        #expect(error.userInfo["property"] as? String == property)
        #expect(error.localizedDescription.contains(reason), "\(error.localizedDescription)")
    }

    private func title(_ format: String) -> (NSMappingModel, NSEntityMapping) -> Void {
        { _, book in book.attributeMappings?[0] = LibraryModels.property("title", format) }
    }

    @Test func expressionsNameWhatTheyMiss() throws {
        try expect("has no property", title("$source.nothing"))
        try expect("states no function “nothing:”", title("FUNCTION($entityPolicy, 'nothing:', 1)"))
        try expect("has no function “nothing:”", title("FUNCTION($manager, 'nothing:', 1)"))
        try expect("has no key “nothing”", title("$manager.nothing"))
        try expect("has no key “nothing”", title("$entityMapping.nothing"))
        try expect("has no key “nothing”", title("$propertyMapping.nothing"))
        try expect("$nobody has no value", title("$nobody.name"))
        try expect("takes String", title("FUNCTION($entityPolicy, 'markFor:prefix:', $source, 1)"))
        try expect("doesn't fit", title("$source.bought"))
        try expect(
            "no entity mapping “Other”",
            title(
                "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'Other', "
                    + "$source.borrowers)"))
    }

    @Test func propertiesMustBeThere() throws {
        try expect("has no such property", in: "nothing") { _, book in
            book.attributeMappings?[0] = LibraryModels.property("nothing", "1")
        }
        try expect("is no attribute", in: "author") { _, book in
            book.attributeMappings?[0] = LibraryModels.property("author", "1")
        }
        try expect("is no relationship", in: "title") { _, book in
            book.relationshipMappings = [LibraryModels.property("title", "1")]
        }
        try expect("is no managed object", in: "readers") { _, book in
            book.relationshipMappings = [LibraryModels.property("readers", "1")]
        }
        try expect("isn't in the destination context", in: "readers") { _, book in
            book.relationshipMappings = [LibraryModels.property("readers", "$source")]
        }
        try expect("can't be in a relationship", in: "readers") { _, book in
            book.relationshipMappings = [LibraryModels.property("readers", "$destination")]
        }
    }

    @Test func entitiesAndClassesMustBeThere() throws {
        try expect("source model has no entity", in: nil) { $1.sourceEntityName = "None" }
        try expect("destination model has no entity", in: nil) { $1.destinationEntityName = "None" }
        try expect("\"Module.None\"", in: nil, code: NSEntityMigrationPolicyError) {
            $1.entityMigrationPolicyClassName = "Module.None"
        }
        try expect("source expression", in: nil) { _, book in
            book.sourceExpression = CoreData.NSExpression(format: "$nobody.books")
        }
        try expect("not managed objects", in: nil) { _, book in
            book.sourceExpression = CoreData.NSExpression(format: "{1, 2}")
        }
        try expect("is no predicate", in: nil) { _, book in
            book.sourceExpression = CoreData.NSExpression(
                format:
                    "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Book', "
                    + "'title ='), $manager.sourceContext, NO)")
        }
    }

    @Test func whatAPolicyThrowsComesThrough() throws {
        NSEntityMigrationPolicy.register(RefusingPolicy.self)
        // The mapping's own functions are another policy's.
        let error = try failure { _, book in
            book.entityMigrationPolicyClassName = "RefusingPolicy"
            book.attributeMappings = []
        }
        #expect(error as? RefusingPolicy.Refusal == RefusingPolicy.Refusal())
        let called = try failure { _, book in
            book.entityMigrationPolicyClassName = "RefusingPolicy"
            book.attributeMappings = [LibraryModels.property("mark", "FUNCTION($entityPolicy, 'refuse')")]
        }
        #expect(called as? RefusingPolicy.Refusal == RefusingPolicy.Refusal())
    }

    /// A required attribute without a value is found at the end.
    @Test func theNewStoreIsValidated() throws {
        let error =
            try #require(
                try failure { _, book in book.attributeMappings?.removeAll { $0.name == "mark" } }) as NSError
        #expect(error.code == NSValidationMultipleErrorsError)
        let first = (error.userInfo[NSDetailedErrorsKey] as? [NSError])?.first
        #expect(first?.code == NSValidationMissingMandatoryPropertyError)
        #expect(first?.userInfo[NSValidationKeyErrorKey] as? String == "mark")
    }

    @Test func valuesThatMustDifferAreAConstraintViolation() throws {
        NSEntityMigrationPolicy.register(BookPolicy.self)
        let container = try StoreKind.sqlite.makeContainer(LibraryModels.first())
        try LibraryModels.fill(container.newBackgroundContext(), books: 4)
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        new.entitiesByName["Book"]?.uniquenessConstraints = [["mark"]]
        let mapping = LibraryModels.mapping(old, new)
        let book = try #require(mapping.entityMappingsByName["BookToBook"])
        book.attributeMappings = [LibraryModels.property("mark", "'same'")]
        book.relationshipMappings = nil
        mapping.entityMappings = [book]
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        let error = #expect(throws: CocoaError.self) {
            try manager.migrateStore(
                from: try #require(container.store.url), sourceType: NSSQLiteStoreType, with: mapping,
                toDestinationURL: container.folder.file("New.sqlite"), destinationType: NSSQLiteStoreType)
        }
        #expect(error?.errorCode == NSMigrationConstraintViolationError)
    }

    @Test func storesAndMappingsMustBeThere() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        func code(_ mapping: NSMappingModel?, _ source: URL, _ type: String = NSSQLiteStoreType) -> Int? {
            do {
                try manager.migrateStore(
                    from: source, sourceType: type, with: mapping,
                    toDestinationURL: folder.file("New.sqlite"), destinationType: NSSQLiteStoreType)
                return nil
            } catch { return (error as NSError).code }
        }
        let mapping = LibraryModels.mapping(old, new)
        #expect(code(nil, folder.file("None.sqlite")) == NSMigrationMissingMappingModelError)
        #expect(code(mapping, folder.file("None.sqlite")) == NSMigrationManagerSourceStoreError)
        #expect(code(mapping, folder.file("None.sqlite"), NSInMemoryStoreType) == NSMigrationError)
        let container = try StoreKind.sqlite.makeContainer(LibraryModels.second())
        let other = try #require(container.store.url)
        NSEntityMigrationPolicy.register(BookPolicy.self)
        NSEntityMigrationPolicy.register(NamePolicy.self, name: "Library.NamePolicy")
        #expect(code(mapping, other) == NSMigrationManagerSourceStoreError)
    }

    @Test func functionsHaveAColonForEachArgument() async {
        await #expect(processExitsWith: .failure) {
            var functions = MigrationFunctions()
            functions.function("two:of:") { (policy: BookPolicy, one: Int) in one }
        }
    }
}

final class RefusingPolicy: NSEntityMigrationPolicy {
    struct Refusal: Error, Equatable {}

    override class func registerFunctions(in functions: inout MigrationFunctions) {
        functions.function("refuse") { (policy: RefusingPolicy) -> Int in throw Refusal() }
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws
    {
        throw Refusal()
    }
}
