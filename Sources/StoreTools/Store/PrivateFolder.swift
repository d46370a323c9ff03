// Folders of this process for copies that nobody else is to see.

import CoreData
import CoreDataSupport

enum PrivateFolder {
    private static let prefix = "coredata-copy-"

    /// Makes a folder, and removes those that killed processes left. Others may not read in it what a store's owner keeps from them.
    static func make() throws -> ScratchFolder {
        let parent = FileManager.default.temporaryDirectory
        for left in ScratchFolder.abandoned(in: parent, named: prefix) {
            // Another user's can't be removed.
            try? FileManager.default.removeItem(at: left)
        }
        return try ScratchFolder(in: parent, named: prefix)
    }
}
