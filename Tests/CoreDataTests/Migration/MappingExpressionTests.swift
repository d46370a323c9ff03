// Values of mapping models that call what stands in the expression's variables.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// As generated code states methods: by a companion of the class.
final class CountPolicy__Methods: MigrationMethods {
    override class func register(in functions: inout MigrationFunctions) { functions.register(members) }
    private static func members(in functions: inout MigrationFunctions) {
        functions.method("lengthOf:", CountPolicy.length(of:))
        functions.method("partOf:", { (policy: CountPolicy) in { (name: String) in "\(name)?" } })
    }
}

final class CountPolicy: NSEntityMigrationPolicy {
    func length(of name: String) -> Int { name.count }
    override class func registerFunctions(in functions: inout MigrationFunctions) {
        functions.function("partOf:") { (policy: CountPolicy, name: String) in "\(name)!" }
    }
}

final class CountingManager__Methods: MigrationMethods {
    override class func register(in functions: inout MigrationFunctions) {
        functions.method("marks") { (manager: CountingManager) in { manager.marks() } }
    }
}

final class CountingManager: NSMigrationManager, @unchecked Sendable {
    func marks() -> NSNumber { 7 }
}

@Suite struct MappingExpressionTests {
    /// Migrates a library's store, and shows the readers of the new one.
    private func migrated(
        by manager: NSMigrationManager, _ mapping: NSMappingModel, books: Int,
        body: ([NSManagedObject]) throws -> Void
    ) throws {
        let container = try StoreKind.sqlite.makeContainer(LibraryModels.first())
        try LibraryModels.fill(container.newBackgroundContext(), books: books)
        let url = container.folder.file("New.sqlite")
        try manager.migrateStore(
            from: try #require(container.store.url), type: .sqlite, mapping: mapping, to: url, type: .sqlite)
        let context = try LibraryModels.open(url, LibraryModels.second())
        try context.performAndWait {
            try body(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Reader")))
        }
    }

    /// `FUNCTION(object, "getter")` of what expressions see, as Xcode's mapping models have it.
    @Test func gettersAreCalledByName() throws {
        let manager = NSMigrationManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        manager.userInfo = ["mark": "!"]
        let mapping = LibraryModels.mapping(manager.sourceModel, manager.destinationModel)
        let members = try #require(mapping.entityMappingsByName["MemberToReader"])
        members.entityMigrationPolicyClassName = nil
        members.relationshipMappings = nil
        members.attributeMappings = [
            LibraryModels.property("first", "FUNCTION($entityMapping, 'name')"),
            LibraryModels.property(
                "last",
                "FUNCTION(FUNCTION($source, 'name'), 'stringByAppendingString:', FUNCTION($propertyMapping, 'name'))"
            ),
            LibraryModels.property(
                "count", "FUNCTION(FUNCTION($manager, 'valueForKey:', 'userInfo'), 'count')"),
        ]
        members.sourceExpression = CoreData.NSExpression(
            format: "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Member', "
                + "'name BEGINSWITH \"First1\"'), FUNCTION($manager, 'sourceContext'), NO)")
        mapping.entityMappings = [members]
        try migrated(by: manager, mapping, books: 8) { readers in
            expect(readers.map { $0.value(forKey: "first") as? String }, equals: ["MemberToReader"])
            expect(readers.map { $0.value(forKey: "last") as? String }, equals: ["First1 Last1last"])
            expect(readers.map { $0.value(forKey: "count") as? Int }, equals: [1])
        }
    }

    /// An association that one expression makes is there for the next.
    @Test func expressionsAssociateObjects() throws {
        let manager = NSMigrationManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        let mapping = LibraryModels.mapping(manager.sourceModel, manager.destinationModel)
        let members = try #require(mapping.entityMappingsByName["MemberToReader"])
        members.entityMigrationPolicyClassName = nil
        members.relationshipMappings = nil
        let associate =
            "FUNCTION($manager, 'associateSourceInstance:withDestinationInstance:forEntityMapping:', "
        members.attributeMappings = [
            LibraryModels.property("first", associate + "$source, $destination, $entityMapping)"),
            LibraryModels.property(
                "count",
                "FUNCTION(FUNCTION($manager, 'sourceInstancesForEntityMappingNamed:destinationInstances:', "
                    + "'MemberToReader', $destination), 'count')"),
        ]
        mapping.entityMappings = [members]
        try migrated(by: manager, mapping, books: 8) { readers in
            #expect(!readers.isEmpty && readers.allSatisfy { $0.value(forKey: "count") as? Int == 1 })
        }
    }

    /// The policy is named without its module, and nobody registers it.
    @Test func companionsStateMethods() throws {
        let manager = CountingManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        let mapping = LibraryModels.mapping(manager.sourceModel, manager.destinationModel)
        let members = try #require(mapping.entityMappingsByName["MemberToReader"])
        members.entityMigrationPolicyClassName = "CountPolicy"
        members.relationshipMappings = nil
        members.attributeMappings = [
            LibraryModels.property("first", "FUNCTION($entityPolicy, 'partOf:', $source.name)"),
            LibraryModels.property("last", "FUNCTION($entityPolicy, 'partOf:', NIL)"),
            LibraryModels.property(
                "count", "FUNCTION($entityPolicy, 'lengthOf:', $source.name) * FUNCTION($manager, 'marks')"),
        ]
        mapping.entityMappings = [members]
        try migrated(by: manager, mapping, books: 4) { readers in
            expect(readers.map { $0.value(forKey: "first") as? String }, equals: ["First0 Last0!"])
            // Nil is an empty text to a method that takes no nil.
            expect(readers.map { $0.value(forKey: "last") as? String }, equals: ["!"])
            expect(readers.map { $0.value(forKey: "count") as? Int }, equals: [12 * 7])
        }
    }
}
