// Opening a store's file, or making it: first looked at without changing it, then opened for writing.

import CoreDataFiles
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
package import Foundation

extension SQLiteRowStore {
    /// The open file; `nil` without a URL.
    func openedFile(_ opening: StoreOpening) throws -> SQLiteFile? {
        guard let url = host.url else { return nil }
        let options = options
        host.isReadOnly = options.isReadOnly
        keepsHistory = false
        postsRemoteChanges = options.postsRemoteChanges
        let (model, members) = (opening.model, opening.members)
        if !options.isReadOnly && !isInMemory {
            try SQLiteEngine.rollBack(path: url.path, options.opening(.readWrite))
        }
        if !isInMemory, Self.holdsBytes(url) || options.isReadOnly {
            let metadata = try examine(url, options: options, opening: opening)
            if let metadata, !host.isReadOnly,
                try VersionCheck(model.index, members: members).isPart(metadata)
            {
                try complete(model)
            }
        }
        var settings = options.opening(host.isReadOnly ? .readOnly : .create)
        settings.isInMemory = isInMemory
        let engine = try SQLiteEngine(path: url.path, settings)
        engine.trace = SQLDebug.current?.trace
        SQLDebug.current?.noteConnection(url.path)
        do {
            let file = try prepared(engine, options: options, opening: opening)
            if !host.isReadOnly { engine.connection.followFileSize(except: settings.pragmas.map { $0.name }) }
            host.hasOpened(Self.place(of: url))
            return file
        } catch {
            engine.discard()
            throw error
        }
    }

    package static func place(of url: URL) -> StorePlace? {
        guard !isInMemory(url), let file = FileNumber(path: url.path) else { return nil }
        return StorePlace(named: file.name)
    }

    package static func checkPlace(_ url: URL?) throws {
        if url?.isFileURL == true { return }
        var userInfo: [String: Any] = [
            CoreDataError.Key.reason: "An SQLite store needs a \(url == nil ? "URL" : "file URL")."
        ]
        userInfo[NSURLErrorKey] = url
        throw CoreDataError.make(
            ErrorCode.open, description: ErrorMapping.Occasion.opening.sentence, userInfo: userInfo)
    }

    /// Indicates whether the store is a database in memory: at `/dev/null`, or at a name below it.
    var isInMemory: Bool { host.url.map(Self.isInMemory) ?? false }

    static func isInMemory(_ url: URL) -> Bool {
        url.isFileURL && (url.path == "/dev/null" || url.path.hasPrefix("/dev/null/"))
    }

    /// Returns whether there is more than an empty file to respect.
    static func holdsBytes(_ url: URL) -> Bool {
        FileStamp(url) != nil
    }

    /// Reads what the file says about itself, and throws unless it goes with the model. `nil` if there is no store, or its
    /// version isn't asked about.
    private func examine(
        _ url: URL, options: SQLiteStoreOptions, opening: StoreOpening
    ) throws -> StoreMetadata? {
        let found = try SQLiteEngine.reading(path: url.path, options: options.opening(.readOnly)) { engine in
            if try engine.isEmpty(), !options.isReadOnly {
                return nil as (StoreMetadata, hasHistory: Bool, check: VersionCheck?)?
            }
            let metadata = try engine.metadata(of: url)
            let check =
                opening.ignoresVersions
                ? nil
                : try VersionCheck(opening.model.index, members: opening.members, of: metadata) {
                    Self.comparableModel(of: engine)
                }
            return (metadata, try engine.catalog().tables["ATRANSACTION"] != nil, check)
        }
        guard let (metadata, hasHistory, check) = found else { return nil }
        if hasHistory {
            keepsHistory = true
            if !options.tracksHistory { keepReadOnlyForHistory(url) }
        }
        guard let check else { return nil }
        try check.check(metadata, file: url)
        return metadata
    }

    /// Makes the tables of the entities outside the store's configuration. A file that others have open waits for the next
    /// time: its configuration can be used as it is.
    private func complete(_ model: ModelRuntime) throws {
        do {
            let same = try MappingInference.difference(from: model.index, to: model.index)
            try migrate(MigrationInPlace(from: model.index, by: same, to: model))
        } catch let error as NSError where error.code == ErrorCode.timeout {
            Log.warning(
                "the store at \(host.url?.path ?? "") holds the entities of one configuration only, and can't be given those of "
                    + "the whole model while others have it open")
        }
    }

    /// Rows written without history would stay unknown to those who follow it.
    private func keepReadOnlyForHistory(_ url: URL) {
        if !host.isReadOnly {
            Log.warning(
                "the store at \(url.path) keeps a persistent history, but is opened without "
                    + "NSPersistentHistoryTrackingKey: it is opened read-only")
        }
        host.isReadOnly = true
    }

    private func prepared(
        _ engine: SQLiteEngine, options: SQLiteStoreOptions, opening: StoreOpening
    ) throws -> SQLiteFile {
        let (model, members) = (opening.model, opening.members)
        if try engine.isEmpty(), try create(in: engine, model: model, options: options) {
            placedEntities = nil
            let blueprint = try LayoutBuilder.blueprint(for: model.index, joinOwners: options.joinOwners)
            var layout = blueprint.layout()
            layout.rangeTrees = try engine.keep(blueprint.knownRangeTrees(), in: engine.catalog())
            let file = SQLiteFile(engine: engine, model: model, layout: layout, host: host)
            try openHistory(file, tracks: options.tracksHistory)
            try file.keepDerived()
            try watch(file, opening: opening)
            return file
        }
        metadata = try engine.metadata(of: host.url)
        // Another process may have made the store since it was looked at.
        if !opening.ignoresVersions {
            try VersionCheck(model.index, members: members, of: metadata) {
                Self.comparableModel(of: engine)
            }.check(metadata, file: host.url)
        }
        let isWhole = try VersionCheck(model.index, members: nil).differences(from: metadata).isEmpty
        placedEntities = isWhole ? nil : members
        let layout = try readLayout(engine, opening: opening)
        let file = SQLiteFile(engine: engine, model: model, layout: layout, host: host)
        try openHistory(file, tracks: options.tracksHistory)
        if host.isReadOnly { return file }
        try file.keepDerived()
        if !opening.ignoresVersions { try watch(file, opening: opening) }
        if options.vacuums { try engine.vacuum() }
        if options.analyzes { try engine.analyze() }
        return file
    }

    /// Has the file looked at before it is written to, as somebody else may have migrated or replaced it.
    private func watch(_ file: SQLiteFile, opening: StoreOpening) throws {
        if isInMemory { return }
        let versions = VersionCheck(opening.model.index, members: opening.members)
        let watch = try FileWatch(file.engine, versions: versions, url: host.url) { [unowned self] in
            hasChangedMetadata ? nil : metadata.uuid
        }
        file.engine.beforeWriting = { try watch.check() }
        if !watch.keepsOthersOut { file.watch = watch }
    }

    /// If uncertain hashes can't tell that the store is of another version, a missing place does.
    private func readLayout(
        _ engine: SQLiteEngine, opening: StoreOpening
    ) throws -> StoreLayout {
        let model = opening.model
        do {
            let catalog = try engine.catalog()
            let found = try LayoutReader.blueprint(
                for: model.index, catalog: catalog, entities: placedEntities)
            var layout = found.layout()
            layout.rangeTrees = try engine.keep(found.knownRangeTrees(), in: catalog)
            return layout
        } catch let failure as LayoutFailure {
            let undecided = try VersionCheck(model.index, members: placedEntities).undecided(from: metadata)
            if opening.ignoresVersions || undecided.isEmpty { throw failure }
            throw VersionCheck.incompatible(undecided, metadata: metadata, file: host.url)
        }
    }

    package func makeFetchIndexes() throws {
        let options = options
        guard options.leavesOutFetchIndexes, let file else { return }
        try mapping(.saving) {
            let blueprint = try LayoutBuilder.blueprint(
                for: file.model.index, joinOwners: options.joinOwners)
            try file.engine.transaction {
                let known = Set(try file.engine.catalog().indexes.map(\.name))
                for index in try blueprint.indexes() where index.isForFetches && !known.contains(index.name) {
                    try file.engine.execute(SQLStatement(index.text))
                }
            }
        }
    }

    /// Makes the tables of a new store, all or none of them, for the whole model whatever its configuration. Returns false
    /// if somebody else has made them meanwhile.
    private func create(
        in engine: SQLiteEngine, model: ModelRuntime, options: SQLiteStoreOptions
    ) throws -> Bool {
        let blueprint = try LayoutBuilder.blueprint(for: model.index, joinOwners: options.joinOwners)
        let hashes = VersionHash.hashes(of: model.index).mapValues(\.data)
        metadata = StoreMetadata(
            uuid: UUID().uuidString, hashes: hashes, digest: VersionHash.digest(of: hashes),
            checksum: VersionHash.checksum(of: hashes), identifiers: model.index.model.versionIdentifiers)
        blueprint.omittedIndexes.forEach(Log.warning)
        let cache = try CachedModel.data(for: model.index.model)
        return try engine.create(
            SchemaStatements(
                blueprint, uuid: metadata.uuid, propertyList: metadata.propertyList(), modelCache: cache,
                withFetchIndexes: !options.leavesOutFetchIndexes
            ).statements)
    }
}
