// Opening a store's file, or making it: first looked at without changing it, then opened for writing.

import CoreDataFiles
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension SQLiteStore {
    func openFile(_ model: ModelRuntime) throws {
        guard let url else { return }
        let options = SQLiteStoreOptions(options)
        isReadOnly = options.isReadOnly
        keepsHistory = false
        postsRemoteChanges = options.postsRemoteChanges
        let members = members(of: model)
        if !isReadOnly { StoreLeftovers.removeAfterKill(at: url, options: self.options) }
        if !isReadOnly && !isInMemory {
            try SQLiteEngine.rollBack(path: url.path, options.opening(.readWrite))
        }
        if !isInMemory, Self.holdsBytes(url) || isReadOnly {
            let metadata = try examine(url, options, model, members)
            if let metadata, !isReadOnly, try VersionCheck(model.index, members).isPart(metadata) {
                try complete(model)
            }
        }
        var opening = options.opening(isReadOnly ? .readOnly : .create)
        opening.isInMemory = isInMemory
        let engine = try SQLiteEngine(path: url.path, opening)
        engine.trace = SQLDebug.current?.trace
        SQLDebug.current?.noteConnection(url.path)
        do {
            try prepare(engine, options, model, members)
            OpenStores.add(self)
        } catch {
            engine.discard()
            throw error
        }
    }

    /// Whether the store is a database in memory: at `/dev/null`, or at a name below it.
    var isInMemory: Bool { url.map(Self.isInMemory) ?? false }

    static func isInMemory(_ url: URL) -> Bool {
        url.isFileURL && (url.path == "/dev/null" || url.path.hasPrefix("/dev/null/"))
    }

    /// Whether there is more than an empty file to respect.
    private static func holdsBytes(_ url: URL) -> Bool {
        FileStamp(url) != nil
    }

    /// Reads what the file says about itself, and throws unless it goes with the model. `nil` if there is no store, or its
    /// version isn't asked about.
    private func examine(
        _ url: URL, _ options: SQLiteStoreOptions, _ model: ModelRuntime, _ members: Set<String>?
    ) throws -> StoreMetadata? {
        let found = try SQLiteEngine.reading(path: url.path, options.opening(.readOnly)) { engine in
            if try engine.isEmpty(), !isReadOnly { return nil as (StoreMetadata, hasHistory: Bool)? }
            return (try engine.metadata(of: url), try engine.catalog().tables["ATRANSACTION"] != nil)
        }
        guard let (metadata, hasHistory) = found else { return nil }
        if hasHistory {
            keepsHistory = true
            if !options.tracksHistory { keepReadOnlyForHistory(url) }
        }
        if options.ignoresVersions { return nil }
        try VersionCheck(model.index, members).check(metadata, file: url)
        return metadata
    }

    /// Makes the tables of the entities outside the store's configuration. A file that others have open waits for the next
    /// time: its configuration can be used as it is.
    private func complete(_ model: ModelRuntime) throws {
        do {
            let same = try MappingInference.difference(from: model.index, to: model.index)
            try migrateFile(from: model.index, same, to: model)
        } catch let error as NSError where error.code == NSPersistentStoreTimeoutError {
            Log.warning(
                "the store at \(url?.path ?? "") holds the entities of one configuration only, and can't be given those of "
                    + "the whole model while others have it open")
        }
    }

    /// Rows written without history would stay unknown to those who follow it.
    private func keepReadOnlyForHistory(_ url: URL) {
        if !isReadOnly {
            Log.warning(
                "the store at \(url.path) keeps a persistent history, but is opened without "
                    + "NSPersistentHistoryTrackingKey: it is opened read-only")
        }
        isReadOnly = true
    }

    private func prepare(
        _ engine: SQLiteEngine, _ options: SQLiteStoreOptions, _ model: ModelRuntime, _ members: Set<String>?
    ) throws {
        if try engine.isEmpty(), try create(in: engine, model, options.joinOwners) {
            placedEntities = nil
            let blueprint = try LayoutBuilder.blueprint(for: model.index, joinOwners: options.joinOwners)
            var layout = blueprint.layout()
            layout.rangeTrees = try engine.keep(blueprint.knownRangeTrees(), in: engine.catalog())
            let file = SQLiteFile(engine: engine, model: model, layout: layout, host: self)
            try openHistory(file, tracks: options.tracksHistory)
            try file.keepDerived()
            self.file = file
            try watch(file, model, members)
            return
        }
        contents = try engine.metadata(of: url)
        // Another process may have made the store since it was looked at.
        if !options.ignoresVersions { try VersionCheck(model.index, members).check(contents, file: url) }
        let isWhole = try VersionCheck(model.index, nil).differences(from: contents).isEmpty
        placedEntities = isWhole ? nil : members
        let layout = try readLayout(engine, options, model)
        let file = SQLiteFile(engine: engine, model: model, layout: layout, host: self)
        try openHistory(file, tracks: options.tracksHistory)
        if !isReadOnly { try file.keepDerived() }
        self.file = file
        if isReadOnly { return }
        if !options.ignoresVersions { try watch(file, model, members) }
        if options.vacuums { try engine.vacuum() }
        if options.analyzes { try engine.analyze() }
    }

    /// Lets others read while a save has the file. Without a log they couldn't, and pinned or copied files are few.
    func openReaders() throws {
        guard let file, !isReadOnly, try file.engine.usesLog() else { return readers.open(nil) }
        readers.open(file)
    }

    /// Has the file looked at before it is written to, as somebody else may have migrated or replaced it.
    private func watch(_ file: SQLiteFile, _ model: ModelRuntime, _ members: Set<String>?) throws {
        if isInMemory { return }
        let watch = try FileWatch(file.engine, VersionCheck(model.index, members), url) { [unowned self] in
            hasChangedMetadata ? nil : contents.uuid
        }
        file.engine.beforeWriting = { try watch.check() }
        if !watch.keepsOthersOut { file.watch = watch }
    }

    /// Where hashes that aren't certain can't tell that the store is of another version, a missing place does.
    private func readLayout(
        _ engine: SQLiteEngine, _ options: SQLiteStoreOptions, _ model: ModelRuntime
    ) throws -> StoreLayout {
        do {
            let catalog = try engine.catalog()
            let found = try LayoutReader.blueprint(
                for: model.index, catalog: catalog, entities: placedEntities)
            var layout = found.layout()
            layout.rangeTrees = try engine.keep(found.knownRangeTrees(), in: catalog)
            return layout
        } catch let failure as LayoutFailure {
            let undecided = try VersionCheck(model.index, placedEntities).undecided(from: contents)
            if options.ignoresVersions || undecided.isEmpty { throw failure }
            throw VersionCheck.incompatible(undecided, contents, file: url)
        }
    }

    /// Makes the tables of a new store, all or none of them, for the whole model whatever its configuration. Returns false
    /// if somebody else has made them meanwhile.
    private func create(
        in engine: SQLiteEngine, _ model: ModelRuntime, _ joinOwners: Set<PropertyAddress>
    ) throws -> Bool {
        let blueprint = try LayoutBuilder.blueprint(for: model.index, joinOwners: joinOwners)
        let hashes = VersionHash.hashes(of: model.index).mapValues(\.data)
        contents = StoreMetadata(
            uuid: UUID().uuidString, hashes: hashes, digest: VersionHash.digest(of: hashes),
            checksum: VersionHash.checksum(of: hashes), identifiers: model.index.model.versionIdentifiers)
        blueprint.omittedIndexes.forEach(Log.warning)
        let cache = try CachedModel.data(for: model.index.model)
        return try engine.create(
            SchemaStatements(
                blueprint, uuid: contents.uuid, propertyList: contents.propertyList(), modelCache: cache
            ).statements)
    }

    /// Closes the file and opens another store in its place (`setURL`). False, and nothing changed, if that
    /// fails.
    func reopen(at url: URL) -> Bool {
        guard let model = file?.model, Self.holdsBytes(url) else { return false }
        let before = (self.url, file, contents)
        self.url = url
        do {
            try openFile(model)
            endReadSnapshots()
            try openReaders()
            before.1?.engine.close()
            return true
        } catch {
            (self.url, file, contents) = before
            OpenStores.add(self)
            return false
        }
    }
}
