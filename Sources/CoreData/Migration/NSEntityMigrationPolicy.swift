// The object that makes the new objects of one entity mapping. The class body is a table of contents: the
// members that may be overridden.

public import Foundation

/// Makes the objects of an entity mapping. Subclass it where values can't be computed by expressions, and name the
/// subclass in the mapping.
///
/// One policy is made for each mapping and kept until the migration ends. The objects that it sees are plain
/// `NSManagedObject`s, whatever classes the models name.
nonisolated open class NSEntityMigrationPolicy: NSObject {
    /// Called for each mapping that names the class.
    public override init() {
        super.init()
    }

    /// States the functions that the mapping's expressions call as `FUNCTION($entityPolicy, "selector:", …)`. Called
    /// once for each policy. Beside Apple's API, whose runtime finds methods by their selectors: those that are marked `@objc`
    /// there are stated by the build plugin.
    open class func registerFunctions(in functions: inout MigrationFunctions) {}

    /// Called before the mapping's first object is made.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: what the policy likes; it fails the migration and comes out of `migrateStore`.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the object, or objects, that one object of the source becomes.
    ///
    /// It sets their attributes, and tells the manager with
    /// `associate(sourceInstance:withDestinationInstance:for:)`. As it is here it makes one object and
    /// evaluates the mappings of attributes.
    ///
    /// - Parameters:
    ///   - sInstance: the object of the source.
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: what the policy likes; it fails the migration and comes out of `migrateStore`.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try createDefaultInstance(sInstance, mapping: mapping, manager: manager)
    }

    /// Called after the mapping's last object was made.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: what the policy likes; it fails the migration and comes out of `migrateStore`.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of one object, once the objects of all mappings are made. As it is here it evaluates the
    /// mappings of relationships.
    ///
    /// - Parameters:
    ///   - dInstance: the object of the destination.
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: what the policy likes; it fails the migration and comes out of `migrateStore`.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try createDefaultRelationships(dInstance, mapping: mapping, manager: manager)
    }

    /// Called after the relationships of the mapping's last object were set.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: what the policy likes; it fails the migration and comes out of `migrateStore`.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws
    {}

    /// Checks the mapping's objects beyond what the model demands.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: what the policy likes; it fails the migration and comes out of `migrateStore`.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws
    {}

    /// Called at the end, before the objects of all mappings are validated and saved for good.
    ///
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the manager of the migration.
    /// - Throws: what the policy likes; it fails the migration and comes out of `migrateStore`.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// The functions that expressions may call.
    private(set) final lazy var functions: MigrationFunctions = {
        MigrationMethods.functions(of: Self.self, below: NSEntityMigrationPolicy.self) {
            Self.registerFunctions(in: &$0)
        }
    }()
}
