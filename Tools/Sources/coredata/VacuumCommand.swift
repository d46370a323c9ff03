// `coredata vacuum`

import ArgumentParser
import CoreData
import StoreTools

struct VacuumCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacuum", abstract: "Gives the pages that a store no longer needs back to the disk.",
        discussion: """
            Rewrites the file without free pages, and gathers figures about the indexes anew. Needs as much room \
            on the disk as the file has, and that no other program has the store open for writing.

            EXAMPLE
              coredata vacuum Bookmarks.sqlite
            """)

    @OptionGroup var options: StoreOptions

    func run() throws {
        try StoreAddress(options.store).requireFile(
            for: "vacuum", advice: "the server does it by itself, and with VACUUM in psql.")
        let before = try size()
        let store = try OpenStore(
            path: options.store, modelPath: options.model, access: .writing,
            ignoringVersions: options.ignoreVersions,
            additional: [
                NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true,
            ])
        try store.close()
        print("\(before) bytes before, \(try size()) bytes now.")
    }

    /// Of the database and its log.
    private func size() throws -> Int {
        let store = URL(fileURLWithPath: options.store).resolvingSymlinksInPath().path
        return try [store, store + "-wal"].reduce(0) { sum, path in
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return sum + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
        }
    }
}
