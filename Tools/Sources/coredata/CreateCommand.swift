// `coredata create`

import ArgumentParser
import CoreData
import StoreTools

struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes an empty store.",
        discussion: """
            A file, or a store on a server, that is there already is never replaced.

            EXAMPLE
              coredata create New.sqlite --model Bookmarks.sqlite
              coredata create 'postgresql://app@db.example/library?schema=books' --model Books.xcdatamodeld
            """)

    @Argument(help: "The file to make, or a postgresql:// address.")
    var store: String

    @Option(
        help: ArgumentHelp(
            "The model: .momd, .mom, .xcdatamodeld, .xcdatamodel, or another store.",
            valueName: "model-or-store"))
    var model: String

    @Option(help: ArgumentHelp("Makes the store for one configuration of the model.", valueName: "name"))
    var configuration: String?

    func run() throws {
        let address = try StoreAddress(store)
        let model = try ModelSource(path: model).read()
        if let error = model.remarks.first(where: \.isError) {
            let place = [error.entity, error.property].compactMap(\.self).joined(separator: ".")
            throw ToolFailure("The model can't be used: \(place): \(error.message).")
        }
        try address.fill {
            try address.requireNothing()
            try make(address, model)
        }
    }

    private func make(_ address: StoreAddress, _ model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let made = try address.open(in: coordinator, configuration: configuration)
        let identifier = made.identifier ?? ""
        try coordinator.remove(made)
        print(
            "created \(address.isFile ? store : address.name): \(model.entities.count) entities, UUID \(identifier)"
        )
    }
}
