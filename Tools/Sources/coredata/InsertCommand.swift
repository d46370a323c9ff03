// `coredata insert`

import ArgumentParser
import CoreData
import StoreTools

struct InsertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert", abstract: "Adds an object and prints its name.",
        discussion: """
            What is not set gets the model's default. Values are written as for `coredata set`.

            EXAMPLE
              coredata insert Bookmarks.sqlite BookmarkEntity title=Swift isFolder=NO parent=BookmarkEntity/1
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The entity.")
    var entity: String

    @Argument(help: ArgumentHelp("What to set.", valueName: "key=value"))
    var assignments: [String] = []

    func run() throws {
        let store = try options.open(.writing)
        defer { try? store.close() }
        let entity = try store.model.requiredEntity(entity)
        if entity.isAbstract {
            throw ToolFailure(
                "\(entity.name ?? "") is abstract: objects are made of entities that inherit from it.")
        }
        let object = NSManagedObject(entity: entity, insertInto: store.context)
        for assignment in try Assignment.list(assignments) { try assignment.apply(to: object, in: store) }
        try store.save()
        print(object.printedName)
    }
}
