// The object that leads a migration by a mapping model. The class body is a table of contents: the
// members that may be overridden.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

/// Makes a store of one model out of a store of another, by a mapping model.
///
/// A migration has three passes over all entity mappings: it makes the objects with their attributes, sets
/// relationships, and lets policies validate. Everything runs on the thread that calls `migrateStore`, as blocks of
/// both contexts. Progress may be read and the migration cancelled from any thread.
open class NSMigrationManager: NSObject, @unchecked Sendable {
    // Unchecked: `status` is behind a lock, everything else belongs to the thread that migrates.
    private final let source: NSManagedObjectModel
    private final let destination: NSManagedObjectModel
    /// The status that other threads may read, with their request to cancel.
    final let status = MigrationStatus()
    /// The migration that is under way.
    final var run: MigrationRun?
    /// The mappings whose expression is being evaluated.
    final var evaluation: (property: NSPropertyMapping, mapping: NSEntityMapping)?

    /// A manager for migrations from one model to another.
    ///
    /// - Parameters:
    ///   - sourceModel: the older version.
    ///   - destinationModel: the newer version.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        source = sourceModel
        destination = destinationModel
        super.init()
    }

    /// Indicates whether a store's own way to migrate may be used in place of the passes. Without effect:
    /// stores are changed in place when they are added with an inferred mapping, never by a manager.
    open var usesStoreSpecificMigrationManager = true

    /// Anything a client wants to hand to migration policies and expressions (`$manager.userInfo.key`).
    open var userInfo: [AnyHashable: Any]?

    /// The mapping model of the migration that is under way.
    open var mappingModel: NSMappingModel { requiredRun.model }
    /// The model of the older store.
    open var sourceModel: NSManagedObjectModel { source }
    /// The model of the newer store.
    open var destinationModel: NSManagedObjectModel { destination }
    /// The context with the objects of the older store. The migration reads only.
    open var sourceContext: NSManagedObjectContext { requiredRun.source }
    /// The context with the objects of the newer store. It is saved in between without validation; objects that nobody
    /// holds lose transient values then.
    open var destinationContext: NSManagedObjectContext { requiredRun.destination }
    /// The mapping whose objects are being worked on; an empty one while there is none. Can be observed.
    open var currentEntityMapping: NSEntityMapping { status.mapping }
    /// The part of the migration that is done, from 0 to 1. Can be observed.
    open var migrationProgress: Float { status.progress }

    /// Called before `migrationProgress` or `currentEntityMapping` changes, on the thread that migrates. Subclasses that
    /// override it call it.
    open func willChangeValue(forKey key: String) {}
    /// Called after `migrationProgress` or `currentEntityMapping` has changed, on the thread that migrates. Subclasses
    /// that override it call it.
    open func didChangeValue(forKey key: String) {}

    /// Makes a store of the destination model out of one of the source model.
    ///
    /// The new store is written beside its place and takes it when it is whole, so that a migration that
    /// fails or is killed leaves what was there. Objects are added to a store that is at the destination
    /// already. A destination that is the source is replaced.
    ///
    /// - Parameters:
    ///   - sourceURL: the older store's file.
    ///   - sStoreType: the older store's type, such as `NSSQLiteStoreType`.
    ///   - sOptions: those that the older store is opened with.
    ///   - mappings: the mapping model.
    ///   - dURL: the newer store's file.
    ///   - dStoreType: the newer store's type.
    ///   - dOptions: those that the newer store is opened with.
    /// - Throws: what a policy throws or `cancelMigrationWithError(_:)` was given, else an error with one of
    ///   the codes from `NSMigrationError` (134110) on; `entity` and `property` in the user info name the
    ///   mappings that it is about.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrate(
            MigrationPlace(url: sourceURL, type: sStoreType, options: sOptions),
            to: MigrationPlace(url: dURL, type: dStoreType, options: dOptions), by: mappings)
    }

    /// Makes a store of the destination model out of one of the source model. See
    /// `migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)`.
    ///
    /// - Parameters:
    ///   - sourceURL: the older store's file.
    ///   - sourceType: the older store's type.
    ///   - sourceOptions: those that the older store is opened with.
    ///   - mapping: the mapping model.
    ///   - destinationURL: the newer store's file.
    ///   - destinationType: the newer store's type.
    ///   - destinationOptions: those that the newer store is opened with.
    /// - Throws: what that method throws.
    public final func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel, to destinationURL: URL,
        type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
            toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
            destinationOptions: destinationOptions)
    }

    /// Forgets which objects became which.
    open func reset() { run?.associations.removeAll() }

    /// Ends the migration before the next object with an error, which `migrateStore` throws. May be called from any
    /// thread; while no migration runs it ends the next one before anything is written.
    open func cancelMigrationWithError(_ error: any Error) { status.cancel(error) }

    /// Returns the entity of a mapping's objects in the source context.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { (run?.sourceModel ?? source).entitiesByName[$0] }
    }

    /// Returns the entity of a mapping's objects in the destination context.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { (run?.destinationModel ?? destination).entitiesByName[$0] }
    }

    /// States that a source object became an object of the destination, by a mapping.
    ///
    /// - Parameters:
    ///   - sourceInstance: the object of the source.
    ///   - destinationInstance: the object of the destination.
    ///   - entityMapping: the mapping.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        requiredRun.associations.add(
            sourceInstance, destination: destinationInstance, mapping: entityMapping.name ?? "")
    }

    /// Returns what a mapping made of the source objects given, or of all for `nil`. Empty for a name under
    /// which nothing is associated.
    ///
    /// - Parameters:
    ///   - mappingName: the mapping's name.
    ///   - sourceInstances: objects of the source, or nil.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        requiredRun.associations.destinations(mappingName, of: sourceInstances, in: destinationContext)
    }

    /// Returns the source objects that a mapping made the objects given of, or any for `nil`. Empty for a
    /// name under which nothing is associated.
    ///
    /// - Parameters:
    ///   - mappingName: the mapping's name.
    ///   - destinationInstances: objects of the destination, or nil.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        requiredRun.associations.sources(mappingName, of: destinationInstances, in: sourceContext)
    }

    /// States the functions that expressions call as `FUNCTION($manager, "selector:", …)` beside those of every manager.
    /// Beside Apple's API, whose runtime finds methods by their selectors.
    open class func registerFunctions(in functions: inout MigrationFunctions) {}

    /// The functions that expressions may call beside those of every manager.
    private(set) final lazy var functions: MigrationFunctions = {
        MigrationMethods.functions(of: Self.self, below: NSMigrationManager.self) {
            Self.registerFunctions(in: &$0)
        }
    }()

    final var requiredRun: MigrationRun {
        guard let run else {
            raise(
                .internalInconsistency,
                "A migration manager has a mapping model, contexts and associations only while it migrates a store"
            )
        }
        return run
    }
}
