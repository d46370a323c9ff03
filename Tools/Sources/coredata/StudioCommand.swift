// coredata studio [MODEL] [STORE]

import ArgumentParser
import CoreData
import CoreDataStudio
import StoreTools

struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio", abstract: "Opens a model and a store in the browser.",
        discussion: """
            Prints a link that works once. The server answers on this machine only and ends with Control-C; \
            what was saved is in the store by then. A model that isn't there is begun on a start page; without \
            files the studio opens the folder's model. With --user there is a link for each user; a user's name \
            and Return print another one.
            """)

    @Argument(
        help: """
            A model (.xcdatamodeld, .xcdatamodel, .momd, .mom), which may be a new one, a store (a file or a \
            postgresql:// address), or both.
            """)
    var files: [String] = []

    @Flag(
        help:
            "Works on a private copy of a store's file; nothing can be changed. A store on a server is only read."
    )
    var readOnly = false

    @Option(help: "The port; any that is free if there is none.")
    var port: UInt16 = 0

    @Option(
        help:
            "An IPv4 address of this machine to serve other machines at; needs --user. Nothing is encrypted on the way."
    )
    var share: String?

    @Option(
        name: .customLong("user"),
        help: "Somebody who may come in, as NAME=read, NAME=edit or NAME=model; can be repeated.",
        transform: Self.user)
    var users: [StudioUser] = []

    @Option(help: ArgumentHelp("A folder with the studio's pages.", visibility: .hidden))
    var assets: String?

    func validate() throws {
        let models = files.filter { ModelSource(path: $0).isModelFile }
        guard files.count <= 2, models.count <= 1, files.count - models.count <= 1 else {
            throw ValidationError("Name one model, one store, or both.")
        }
        guard Set(users.map(\.name)).count == users.count else {
            throw ValidationError("Each --user needs a name of its own.")
        }
        guard share == nil || !users.isEmpty else {
            throw ValidationError("--share needs a --user: say who may come in, and how far.")
        }
        guard share != "0.0.0.0" else {
            throw ValidationError("--share needs one address of this machine: links lead there.")
        }
    }

    private static func user(_ text: String) throws -> StudioUser {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let name = sides[0].trimmingCharacters(in: .whitespaces)
        guard sides.count == 2, let role = StudioUser.Role(rawValue: sides[1]),
            (1...100).contains(name.count),
            !name.unicodeScalars.contains(where: { CharacterSet.controlCharacters.contains($0) })
        else {
            throw ValidationError("\"\(text)\" is no user: write NAME=read, NAME=edit or NAME=model.")
        }
        return StudioUser(name: name, role: role)
    }

    /// The model that lies in the folder; otherwise the name of a new one.
    private static var folderModel: String {
        let names = try? FileManager.default.contentsOfDirectory(atPath: ".")
        return names?.sorted().first { $0.hasSuffix(".xcdatamodeld") } ?? "Model.xcdatamodeld"
    }

    func run() async throws {
        let model = files.isEmpty ? Self.folderModel : files.first { ModelSource(path: $0).isModelFile }
        let known = model.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
        if let model, known == nil, readOnly { throw ToolFailure("There is nothing at \(model).") }
        let path = files.first { !ModelSource(path: $0).isModelFile }
        let address = try path.map(StoreAddress.init)
        let copy = try address.flatMap { readOnly && $0.isFile ? try PrivateCopy(of: $0.url) : nil }
        let access = readOnly && address?.isFile == false ? OpenStore.Access.reading : .writing
        let store = try (copy?.store.path ?? path).map { try Self.open($0, with: known, access: access) }
        let studio = Studio(
            coordinator: store?.coordinator, options: options(for: address, model: model))
        try await serve(try StudioServer(studio, host: share ?? "127.0.0.1", port: port))
        try studio.closeOwnStores(except: store?.coordinator)
        if let store, store.coordinator.persistentStores.contains(store.store) { try store.close() }
        try copy?.remove()
    }

    private func options(for address: StoreAddress?, model: String?) -> StudioOptions {
        var options = StudioOptions()
        options.title = address?.title ?? URL(fileURLWithPath: model ?? "").lastPathComponent
        options.isReadOnly = readOnly
        options.offersMigration = !readOnly
        options.draftsFolder = readOnly ? nil : Self.draftsFolder
        options.modelFile = model.map { URL(fileURLWithPath: $0) }
        if model == nil { options.viewsFile = address.map(Self.viewsFile) }
        options.pagesFolder = assets.map { URL(fileURLWithPath: $0) }
        options.users = users
        if let share { options.hosts.insert(share) }
        return options
    }

    /// A file without a model's file has the views beside it; those of a store on a server lie where drafts do.
    private static func viewsFile(of address: StoreAddress) -> URL {
        if address.isFile { return address.url.appendingPathExtension("studio-views.json") }
        let name = address.name.map { $0.isLetter || $0.isNumber || ".-_".contains($0) ? $0 : "_" }
        return draftsFolder.appendingPathComponent(String(name)).appendingPathExtension("studio-views.json")
    }

    /// Opens a store with a model's version that is its own; with the copy that it keeps if none is, for then the page
    /// offers to migrate it.
    private static func open(
        _ path: String, with model: String?, access: OpenStore.Access
    ) throws -> OpenStore {
        let metadata = try StoreAddress(path).metadata()
        let fits = try model.map {
            try ModelSource(path: $0).read(for: metadata).configuration(for: metadata) != nil
        }
        return try OpenStore(
            path: path, modelPath: fits == false ? nil : model, access: access,
            additional: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
    }

    /// The folder where a person's programs keep their state.
    private static var draftsFolder: URL {
        let stated = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap {
            $0.hasPrefix("/") ? $0 : nil
        }
        let base =
            stated.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state")
        return base.appendingPathComponent("coredata/drafts")
    }

    /// Serves until somebody interrupts.
    private func serve(_ server: StudioServer) async throws {
        let signals = try Interrupts().signals
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                try await Self.printLinks(server, users: users)
                for await _ in signals { break }
            }
            // The first to end decides: a server that fails throws here.
            try await group.next()
            await server.stop()
            group.cancelAll()
            while await group.nextResult() != nil {}
        }
    }

    /// Prints the link, or one for each user, and then one for each user's name that is typed.
    private static func printLinks(_ server: StudioServer, users: [StudioUser]) async throws {
        guard !users.isEmpty else {
            print("Open \(try await server.makeLink())")
            fflush(nil)
            return
        }
        for user in users { print("\(user.name), \(user.role): \(try await server.makeLink(for: user))") }
        fflush(nil)
        answerNames(server, users: users)
    }

    /// Waits for names on a thread of its own, which ends with the process or the input. In the background of a
    /// terminal nothing can be read: the studio isn't stopped for that.
    private static func answerNames(_ server: StudioServer, users: [StudioUser]) {
        signal(SIGTTIN, SIG_IGN)
        let (names, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            // Not by `readLine()`, which keeps the stream locked while it waits: leaving the program would wait for it.
            while case let data = FileHandle.standardInput.availableData, !data.isEmpty {
                for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
                    continuation.yield(line.trimmingCharacters(in: .whitespaces))
                }
            }
            continuation.finish()
        }
        Task {
            for await name in names where !name.isEmpty {
                if let user = users.first(where: { $0.name == name }) {
                    print("\(user.name), \(user.role): \(try await server.makeLink(for: user))")
                } else {
                    print("There is no user \(name).")
                }
                fflush(nil)
            }
        }
    }
}
