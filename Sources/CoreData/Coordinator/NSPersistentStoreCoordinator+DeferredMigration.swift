// The work that a migration may leave for later: nothing, here.

extension NSPersistentStoreCoordinator {
    /// Finishes all that migrations with `NSPersistentStoreDeferredLightweightMigrationOptionKey` put off.
    ///
    /// A migration in place is one transaction, whole once the store has been added, so that there never is anything
    /// left to finish and this returns at once (Docs/Deviations.md).
    ///
    /// - Throws: nothing today; clients of Apple's framework expect it to.
    public final func finishDeferredLightweightMigration() throws {}

    /// Finishes the next part of what migrations put off, as `finishDeferredLightweightMigration()` does all of it.
    ///
    /// - Throws: nothing today; clients of Apple's framework expect it to.
    public final func finishDeferredLightweightMigrationTask() throws {}
}
