// A migration in stages.

public import Foundation
import Synchronization

/// Leads a store through versions of a model, one stage after the other. Pass one as the value of
/// `NSPersistentStoreStagedMigrationManagerOptionKey` when the store is added.
///
/// ```swift
/// let stages = NSStagedMigrationManager([NSLightweightMigrationStage(["first checksum", "second checksum"])])
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(stages, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
open class NSStagedMigrationManager: NSObject, @unchecked Sendable {  // `held` is behind a lock
    /// The stages, the oldest versions first.
    public let stages: [NSMigrationStage]
    private let held = Mutex<NSPersistentContainer?>(nil)

    /// A manager with stages, those of the oldest versions first.
    public init(_ stages: [NSMigrationStage]) {
        self.stages = stages
    }

    /// While a stage's handler runs, the store that is being migrated, at the version that it has then.
    open var container: NSPersistentContainer? { held.withLock { $0 } }

    final func setContainer(_ container: NSPersistentContainer?) {
        held.withLock { $0 = container }
    }
}
