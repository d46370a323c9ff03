// The place of a store that a person typed: a file's path, or the address of a database on a server.

public import CoreData

/// The place of a store.
public struct StoreAddress {
    /// The file's URL, or the database's without a password.
    public let url: URL
    /// The server's store; nil for a file.
    public let description: NSPersistentStoreDescription?
    let kind: ServerStores?

    /// Reads a path, or an address such as `postgresql://db.example/library?schema=books`. `schema` isn't libpq's own.
    ///
    /// - Throws: `ToolFailure` for an address that can't be read or of a kind that nobody registered.
    public init(_ text: String) throws {
        guard let scheme = Self.scheme(of: text) else {
            try Self.requirePath(text)
            (url, description, kind) = (URL(fileURLWithPath: text), nil, nil)
            return
        }
        guard let kind = ServerStores.kind(of: scheme) else {
            throw ToolFailure("There are no stores at addresses that begin with \(scheme)://.")
        }
        let (address, schema) = try Self.split(text)
        let described = try kind.describe(address, schema)
        guard let url = described.url, kind.schemes.contains(url.scheme ?? "") else {
            throw ToolFailure(
                "The address of the store can't be read: write \(scheme)://HOST/DATABASE. \(Self.reason(described))"
            )
        }
        (self.url, description, self.kind) = (url, described, kind)
    }

    /// The path of a URL that stands for an address that can't be read, which is the reason.
    private static func reason(_ described: NSPersistentStoreDescription) -> String {
        described.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false)?.path } ?? ""
    }

    /// Returns whether a text is an address on a server and no path.
    public static func isServer(_ text: String) -> Bool { scheme(of: text) != nil }

    /// The letters before `://`, of which a path has none at its beginning.
    private static func scheme(of text: String) -> String? {
        guard let mark = text.range(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound]
        let isScheme = !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isScheme ? scheme.lowercased() : nil
    }

    /// Throws for an address in a form that isn't read here, which as a path would be shown with its password.
    private static func requirePath(_ text: String) throws {
        let prefix = text.prefix { $0 != ":" }
        let isShort = prefix.endIndex < text.endIndex && ServerStores.kind(of: prefix.lowercased()) != nil
        if isShort || text.contains(parameter) {
            throw ToolFailure(
                "The address can't be read: write it as postgresql://USER@HOST/DATABASE?schema=NAME.")
        }
    }

    /// A parameter of a connection at the beginning, or a password anywhere.
    private static var parameter: Regex<Substring> {
        /^\s*(?:host|hostaddr|port|dbname|user|passfile|service|sslmode)\s*=|(?:^|\s)password\s*=/
            .ignoresCase()
    }

    /// The address without the parameter `schema`, and that.
    private static func split(_ text: String) throws -> (address: String, schema: String?) {
        guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
        var schema: String?
        let others = try text[text.index(after: mark)...].split(separator: "&").filter { parameter in
            guard parameter.hasPrefix("schema=") else { return true }
            schema = String(parameter.dropFirst("schema=".count)).removingPercentEncoding
            if schema?.isEmpty ?? true { throw ToolFailure("The address names no schema after schema=.") }
            return false
        }
        return (text[..<mark] + (others.isEmpty ? "" : "?" + others.joined(separator: "&")), schema)
    }

    /// Returns the path or the address of a copy beside a store.
    static func backup(of text: String) throws -> String {
        if !isServer(text) { return URL(fileURLWithPath: text).appendingPathExtension("backup").path }
        let (address, schema) = try split(text)
        let name = (schema.map { "\($0)_" } ?? "") + "backup"
        let coded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["_"])) ?? name
        return address + (address.contains("?") ? "&" : "?") + "schema=\(coded)"
    }

    /// Indicates whether the store is a file.
    public var isFile: Bool { description == nil }

    /// The path or the address, as people type it, without a password.
    public var name: String { Self.name(of: url) }

    /// Returns a path as it was typed, or an address without a password.
    ///
    /// - Throws: as `init(_:)`.
    public static func shown(_ text: String) throws -> String {
        let address = try StoreAddress(text)
        return address.isFile ? text : address.name
    }

    /// Returns the path or the address at a URL, as people type it. The address has no password if the URL has none.
    public static func name(of url: URL) -> String {
        if url.isFileURL { return url.path }
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return url.absoluteString
        }
        components.queryItems = components.queryItems?.map { item in
            guard item.name == "options", let schema = schema(inOptions: item.value ?? "") else {
                return item
            }
            return URLQueryItem(name: "schema", value: schema)
        }
        return components.url?.absoluteString ?? url.absoluteString
    }

    /// The schema, where the server's options state that alone.
    private static func schema(inOptions options: String) -> String? {
        guard options.hasPrefix("-csearch_path=\""), options.hasSuffix("\"") else { return nil }
        let name = options.dropFirst("-csearch_path=\"".count).dropLast()
        return name.isEmpty || name.contains(where: { "\"\\ ".contains($0) }) ? nil : String(name)
    }

    /// A short name, for titles.
    public var title: String {
        if isFile { return url.lastPathComponent }
        let schema = URLComponents(string: name)?.queryItems?.first { $0.name == "schema" }?.value
        return [url.lastPathComponent, schema].compactMap(\.self).joined(separator: ".")
    }

    /// The store's type.
    var type: NSPersistentStore.StoreType {
        NSPersistentStore.StoreType(rawValue: description?.type ?? NSSQLiteStoreType)
    }

    /// The options that the address needs to be reached.
    var options: [AnyHashable: Any] {
        Dictionary(
            (description?.options ?? [:]).map { (AnyHashable($0.key), $0.value as Any) },
            uniquingKeysWith: { first, _ in first })
    }

    // MARK: Contents

    /// Returns what the store says about itself. The store stays as it is.
    ///
    /// - Throws: the errors of opening a store.
    public func metadata() throws -> [String: Any] {
        guard let description else { return try OpenStore.metadata(of: url) }
        return try NSPersistentStoreCoordinator.metadataForPersistentStore(with: description)
    }

    /// Returns the model that the store keeps; nil if it keeps none.
    ///
    /// - Throws: the errors of opening a store.
    public func model() throws -> NSManagedObjectModel? {
        guard let description else { return try NSPersistentStoreCoordinator.model(inStoreAt: url) }
        return try NSPersistentStoreCoordinator.model(inStoreWith: description)
    }

    /// Returns the model of the store, or where a server has no store, one that is proposed for the tables that are there.
    ///
    /// - Returns: the model, and a sentence for each thing that a proposed one can't say.
    /// - Throws: `ToolFailure` for a store that keeps no model; the errors of connecting.
    public func modelOrProposal() throws -> (model: NSManagedObjectModel, remarks: [String]) {
        if let description, let propose = kind?.proposeModel, try !isThere() {
            return try propose(description)
        }
        guard let model = try model() else {
            throw ToolFailure("The store \(name) keeps no copy of its model.")
        }
        return (model, [])
    }

    /// Returns whether the store has a persistent history.
    ///
    /// - Throws: the errors of opening a store.
    func keepsHistory() throws -> Bool {
        guard let description, let kind else { return try OpenStore.keepsHistory(url) }
        return try kind.keepsHistory(description)
    }

    /// Runs one SQL statement that only reads.
    ///
    /// - Parameters:
    ///   - sql: the statement.
    ///   - columns: gets the columns' names, once, before the first row.
    ///   - row: gets a row's values.
    /// - Throws: the database's errors; those of the closures.
    public func readSQL(
        _ sql: String, columns: ([String]) throws -> Void = { _ in }, row: ([SQLValue]) throws -> Void
    ) throws {
        guard let description, let kind else {
            return try NSPersistentStoreCoordinator.readSQL(
                sql, inStoreAt: url, options: [NSPersistentStoreTimeoutOption: 5], columns: columns, row: row)
        }
        try kind.readSQL(sql, description, { false }, columns, row)
    }

    /// Throws if there is a file or a store already.
    ///
    /// - Throws: `ToolFailure`; the errors of connecting.
    public func requireNothing() throws {
        if isFile {
            if !FileManager.default.fileExists(atPath: url.path) { return }
            throw ToolFailure("There is a file at \(url.path) already.")
        }
        if try isThere() { throw ToolFailure("There is a store at \(name) already.") }
    }

    /// Returns whether there is a store, or a file of whatever kind.
    ///
    /// - Throws: the errors of connecting, and of reading a server's store.
    func isThere() throws -> Bool {
        if isFile { return FileManager.default.fileExists(atPath: url.path) }
        do {
            _ = try metadata()
            return true
        } catch let error as NSError where error.code == NSFileReadNoSuchFileError {
            return false
        }
    }

    /// Takes away the store with its objects. Nothing happens where there is none.
    ///
    /// - Throws: the errors of connecting, and of removing a store.
    func destroy() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        try coordinator.destroyPersistentStore(
            at: url, ofType: description?.type ?? NSSQLiteStoreType, options: description?.options)
    }

    /// Adds the store to a coordinator; one that isn't there is made.
    ///
    /// - Parameters:
    ///   - coordinator: the coordinator.
    ///   - configuration: the configuration; nil for all entities.
    ///   - options: options beside those of the address.
    /// - Returns: the store, which the coordinator holds.
    /// - Throws: the errors of opening a store.
    public func open(
        in coordinator: NSPersistentStoreCoordinator, configuration: String? = nil,
        options: [AnyHashable: Any] = [:]
    ) throws -> NSPersistentStore {
        var all = options
        for (key, value) in description?.options ?? [:] where all[key] == nil { all[key] = value }
        return try coordinator.addPersistentStore(
            ofType: description?.type ?? NSSQLiteStoreType, configurationName: configuration, at: url,
            options: all)
    }
}
