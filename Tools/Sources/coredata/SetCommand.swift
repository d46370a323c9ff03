// `coredata set`

import ArgumentParser
import CoreData
import StoreTools

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes an object.",
        discussion: """
            Values are read by the type that the model gives: dates as ISO 8601, binary as base64 or @FILE, \
            transformables as JSON. KEY= sets nil, KEY='""' the empty string. Relationships take ENTITY/NUMBER, \
            with commas between several; += adds to a to-many relationship and -= removes from it.

            EXAMPLE
              coredata set Bookmarks.sqlite BookmarkEntity/3 title=Swift parent=BookmarkEntity/1
              coredata set Bookmarks.sqlite BookmarkEntity/1 children+=BookmarkEntity/7
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: ArgumentHelp("The object: ENTITY/NUMBER or its URI.", valueName: "object"))
    var name: String

    @Argument(help: ArgumentHelp("What to set.", valueName: "key=value"))
    var assignments: [String]

    func run() throws {
        let store = try options.open(.writing)
        defer { try? store.close() }
        let object = try store.object(named: name)
        for assignment in try Assignment.list(assignments) { try assignment.apply(to: object, in: store) }
        try store.save()
        try store.close()
        print("changed \(object.printedName)")
    }
}
