// A store to look at that nobody else sees.

public import CoreData
import CoreDataSupport

/// A copy of an SQLite store as it is now, with what its log and its external files hold, in a folder of its own. The
/// original may be open, here or in other processes, and stays as it is.
public final class PrivateCopy: Sendable {
    private let folder: ScratchFolder
    /// The copied store.
    public let store: URL

    /// Makes the copy, and removes those that killed processes left.
    ///
    /// - Throws: the errors of opening a store.
    public init(of original: URL) throws {
        folder = try PrivateFolder.make()
        store = folder.url.appending(path: original.resolvingSymlinksInPath().lastPathComponent)
        do {
            try NSPersistentStoreCoordinator.copyPersistentStore(at: original, to: store)
        } catch {
            try folder.remove()
            throw error
        }
    }

    /// Deletes the copy.
    ///
    /// - Throws: the system's error.
    public func remove() throws { try folder.remove() }
}
