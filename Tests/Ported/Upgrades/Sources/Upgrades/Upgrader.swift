import CoreData
import Foundation

/// Brings a diary's store to the newest version, one version at a time.
public final class Upgrader: NSObject {
    public enum Failure: Error {
        case unknownVersion
        case noWay(from: String)
    }

    public private(set) var steps: [String] = []
    public private(set) var progress: [Float] = []
    private let folder = "Diary.momd"
    private var bundle: Bundle { Bundle(for: type(of: self)) }

    /// All versions, oldest first.
    public lazy var versions: [NSManagedObjectModel] = {
        let urls = bundle.urls(forResourcesWithExtension: "mom", subdirectory: folder) ?? []
        return urls.compactMap { NSManagedObjectModel(contentsOf: $0) }.sorted { number($0) < number($1) }
    }()

    public func number(_ model: NSManagedObjectModel) -> Int {
        Int(model.versionIdentifiers.first as? String ?? "") ?? 1
    }

    public func needsUpgrade(_ url: URL) throws -> Bool {
        try version(of: url) != versions.count
    }

    public func version(of url: URL) throws -> Int {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        guard
            let index = versions.firstIndex(where: {
                $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            })
        else { throw Failure.unknownVersion }
        return index + 1
    }

    public func upgrade(_ url: URL) throws {
        while try needsUpgrade(url) {
            let from = try version(of: url)
            try step(url, versions[from - 1], versions[from])
        }
    }

    private func step(_ url: URL, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws
    {
        let mapping: NSMappingModel
        if let stated = NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination)
        {
            mapping = stated
            steps.append("\(number(destination)) by mapping")
        } else {
            mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            steps.append("\(number(destination)) inferred")
        }
        let temporary = url.deletingLastPathComponent().appendingPathComponent(
            "upgrade-\(UUID().uuidString).sqlite")
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        let observation = manager.observe(\.migrationProgress, options: [.new]) { [weak self] manager, _ in
            self?.progress.append(manager.migrationProgress)
        }
        defer { observation.invalidate() }
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
            toDestinationURL: temporary,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
        try coordinator.replacePersistentStore(
            at: url, destinationOptions: nil, withPersistentStoreFrom: temporary, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        try coordinator.destroyPersistentStore(at: temporary, ofType: NSSQLiteStoreType, options: nil)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: temporary.path + suffix)
        }
    }
}

/// Makes a mood of each text that was one.
@objc(EntryPolicy)
public final class EntryPolicy: NSEntityMigrationPolicy {
    private var moods: [String: NSManagedObject]

    public override init() {
        moods = [:]
        super.init()
    }

    public override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard let name = sInstance.value(forKey: "mood") as? String,
            let entry = manager.destinationInstances(
                forEntityMappingName: mapping.name, sourceInstances: [sInstance]
            ).first
        else { return }
        if moods[name] == nil {
            let mood = NSEntityDescription.insertNewObject(
                forEntityName: "Mood", into: manager.destinationContext)
            mood.setValue(name, forKey: "name")
            moods[name] = mood
        }
        entry.setValue(moods[name], forKey: "mood")
    }
}

/// Offers methods to the expressions of a mapping, which call them by their selectors.
public class TextPolicy: NSEntityMigrationPolicy {
    @objc func shortened(_ text: String, to count: NSNumber) -> String {
        String(text.prefix(count.intValue))
    }
}

@objc(DigestPolicy)
final class DigestPolicy: TextPolicy {
    private let marks = ["glad": 5, "sad": 1]

    @objc func stars(forMood mood: NSManagedObject?) -> NSNumber? {
        (mood?.value(forKey: "name") as? String).flatMap { marks[$0] as NSNumber? }
    }

    @objc(digestOf:in:)
    func digest(_ entry: NSManagedObject, manager: NSMigrationManager) -> String {
        let text = entry.value(forKey: "text") as? String ?? ""
        return shortened(text, to: 3) + "/\(manager.sourceModel.entities.count)"
    }
}
