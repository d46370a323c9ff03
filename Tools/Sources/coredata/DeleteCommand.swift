// `coredata delete`

import ArgumentParser
import CoreData
import StoreTools

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes objects, by name or by predicate.",
        discussion: """
            Shows what goes with them by the model's delete rules, and asks; --yes answers, and is needed \
            where nobody can be asked. --dry-run only shows it.

            EXAMPLE
              coredata delete Bookmarks.sqlite BookmarkEntity/3 BookmarkEntity/4
              coredata delete Bookmarks.sqlite BookmarkEntity --where 'title == nil' --yes
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: ArgumentHelp("Objects as ENTITY/NUMBER, or an entity with --where.", valueName: "object"))
    var names: [String]

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Deletes the entity's objects that match.", valueName: "predicate"))
    var predicate: String?

    @Flag(help: "Doesn't ask.")
    var yes = false

    @Flag(help: "Shows what would be deleted, and deletes nothing.")
    var dryRun = false

    func validate() throws {
        if predicate != nil, names.count != 1 || names.contains(where: { $0.contains("/") }) {
            throw ValidationError("--where needs one entity: coredata delete STORE ENTITY --where PREDICATE")
        }
        if predicate == nil, let name = names.first(where: { !$0.contains("/") }) {
            throw ValidationError(
                "\"\(name)\" names no object; for all objects of an entity say --where TRUEPREDICATE.")
        }
    }

    func run() throws {
        let store = try options.open(dryRun ? .reading : .writing)
        defer { try? store.close() }
        let objects = try objects(in: store)
        if objects.isEmpty { return print("delete: 0") }
        let deletion = Deletion(objects, in: store)
        for line in deletion.lines { print(line) }
        if dryRun { return }
        guard
            try yes
                || confirms(
                    "Delete?", otherwise: "Nothing was deleted: nobody can be asked; --yes deletes.")
        else {
            print("nothing was deleted")
            throw ExitCode(1)
        }
        try store.save()
        print("deleted \(deletion.named.count + deletion.cascaded.count)")
    }

    private func objects(in store: OpenStore) throws -> [NSManagedObject] {
        guard let predicate, let name = names.first else {
            // The same object may be named twice.
            var known: Set<NSManagedObjectID> = []
            return try names.map { try store.object(named: $0) }.filter { known.insert($0.objectID).inserted }
        }
        let entity = try store.model.requiredEntity(name)
        let query = try marking(predicate) { try StoreQuery(entity, predicate: predicate) }
        return try store.context.fetch(query.request)
    }
}
