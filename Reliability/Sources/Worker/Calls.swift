// Every public call that takes a store's URL, as a client may make it while the store is open.

import CoreData
import Foundation
import StoreTools

/// An open store, and the path by which a call is to reach its file.
struct CallSubject {
    let stack: Stack
    var place: Place
    let folder: URL

    init(_ request: Request, _ stack: Stack) {
        self.stack = stack
        folder = request.folder
        place = stack.place
        // The same file by another name: a hard link or a symbolic one.
        if let other = request.fields["path"] as? String {
            place.url = folder.appendingPathComponent(other)
        }
    }

    var url: URL { place.url }

    func coordinator(version: Int = 1) -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: TestModel.make(version: version))
    }
}

enum Calls {
    /// A call may return a store that stays open.
    typealias Call = @Sendable (CallSubject) async throws -> Stack?

    static let all: [String: Call] = opening.merging(metadata) { $1 }.merging(files) { $1 }
        .merging(tools) { $1 }

    private static func adding(_ type: String, readOnly: Bool = false, closing: Bool = true) -> Call {
        { subject in
            var place = subject.place
            (place.type, place.isReadOnly) = (type, readOnly)
            let stack = try Stack(place)
            _ = try? Judge.state(of: stack)
            if !closing { return stack }
            stack.close()
            return nil
        }
    }

    private static let opening: [String: Call] = [
        // The harness itself must do no harm.
        "nothing": { _ in nil },
        // And what no program may do, for --self-test.
        "drop-locks": { subject in
            close(open(subject.url.path, O_RDONLY))
            return nil
        },
        "add": adding(NSSQLiteStoreType),
        "add-and-keep": adding(NSSQLiteStoreType, closing: false),
        "add-read-only": adding(NSSQLiteStoreType, readOnly: true),
        "add-as-xml": adding(NSXMLStoreType),
        "add-as-binary": adding(NSBinaryStoreType),
        "add-another-model": { subject in
            _ = try subject.coordinator(version: 2).addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: subject.url, options: nil)
            return nil
        },
        "add-twice": { subject in
            _ = try subject.stack.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: subject.url, options: nil)
            return nil
        },
        "container": { subject in
            let container = NSPersistentContainer(name: "Store", managedObjectModel: TestModel.make())
            container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: subject.url)]
            container.persistentStoreDescriptions[0].setOption(
                NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
            container.loadPersistentStores { _, _ in }
            for store in container.persistentStoreCoordinator.persistentStores {
                try container.persistentStoreCoordinator.remove(store)
            }
            return nil
        },
        "set-url": { subject in
            _ = subject.stack.coordinator.setURL(subject.url, for: subject.stack.store)
            return nil
        },
    ]

    private static func reading(_ type: String?) -> Call {
        { subject in
            if let type {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: type, at: subject.url, options: nil)
            } else {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: subject.url)
            }
            return nil
        }
    }

    private static func writing(_ type: String) -> Call {
        { subject in
            try NSPersistentStoreCoordinator.setMetadata(
                ["client": "value"], forPersistentStoreOfType: type, at: subject.url, options: nil)
            return nil
        }
    }

    private static let metadata: [String: Call] = [
        "metadata": reading(nil),
        "metadata-sqlite": reading(NSSQLiteStoreType),
        "metadata-xml": reading(NSXMLStoreType),
        "metadata-binary": reading(NSBinaryStoreType),
        "set-metadata-sqlite": writing(NSSQLiteStoreType),
        "set-metadata-xml": writing(NSXMLStoreType),
        "set-metadata-binary": writing(NSBinaryStoreType),
        "set-metadata-untyped": { subject in
            try NSPersistentStoreCoordinator.setMetadata(
                ["client": "value"], forPersistentStoreOfType: String?.none, at: subject.url)
            return nil
        },
        "compatible": { subject in
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: subject.url, options: nil)
            _ = TestModel.make().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            return nil
        },
        "cached-model": { subject in
            _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: subject.url)
            return nil
        },
        "model-in-store": { subject in
            _ = try NSPersistentStoreCoordinator.model(inStoreAt: subject.url)
            return nil
        },
        "read-sql": { subject in
            try NSPersistentStoreCoordinator.readSQL(
                "SELECT COUNT(*) FROM ZNOTE", inStoreAt: subject.url, row: { _ in })
            return nil
        },
        "verify": { subject in
            _ = try subject.stack.coordinator.verify(subject.stack.store)
            return nil
        },
    ]

    private static let files: [String: Call] = [
        "replace-from-it": { subject in
            try subject.coordinator().replacePersistentStore(
                at: subject.folder.appendingPathComponent("copy.sqlite"), destinationOptions: nil,
                withPersistentStoreFrom: subject.url, sourceOptions: nil, ofType: NSSQLiteStoreType)
            return nil
        },
        "migration-steps": { subject in
            _ = try NSPersistentStoreCoordinator.migrationSteps(
                forStoreAt: subject.url, from: nil, to: TestModel.make(version: 2))
            return nil
        },
        "migration-manager": { subject in
            let (source, destination) = (TestModel.make(), TestModel.make(version: 2))
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
                from: subject.url, type: .sqlite, options: nil, mapping: mapping,
                to: subject.folder.appendingPathComponent("newer.sqlite"), type: .sqlite, options: nil)
            return nil
        },
        "external-read": { subject in
            try subject.stack.context.performAndWait {
                subject.stack.context.refreshAllObjects()
                for note in try subject.stack.all("Note", sortedBy: []) { _ = note.value(forKey: "blob") }
            }
            return nil
        },
    ]

    private static let tools: [String: Call] = [
        "tools-open": { subject in
            try OpenStore(path: subject.url.path).close()
            return nil
        },
        "tools-open-writing": { subject in
            try OpenStore(path: subject.url.path, access: .writing).close()
            return nil
        },
        "tools-metadata": { subject in
            _ = try OpenStore.metadata(of: subject.url)
            return nil
        },
        "doctor": { subject in
            _ = try Diagnosis.findings(path: subject.url.path, modelPath: nil)
            return nil
        },
        "info": { subject in
            _ = try StoreSummary(path: subject.url.path, modelPath: nil)
            return nil
        },
        "tools-model": { subject in
            _ = try ModelSource(path: subject.url.path).read()
            return nil
        },
        "tools-history": { subject in
            let store = try OpenStore(path: subject.url.path)
            _ = try StoreHistory(of: store).transactions(since: nil, author: nil)
            try store.close()
            return nil
        },
        "tools-plan": { subject in
            let model = subject.folder.appendingPathComponent("newer.mom")
            try TestModel.make(version: 2).write(to: model)
            let migration = try StoreMigration(of: subject.url.path, from: nil, to: model.path)
            _ = try migration.backUp()
            return nil
        },
        "private-copy": { subject in
            try PrivateCopy(of: subject.url).remove()
            return nil
        },
        "import": { subject in
            let source = subject.folder.appendingPathComponent("import.json")
            try Data(#"[{"batch": 7, "number": 1}]"#.utf8).write(to: source)
            try ImportOperation.run(subject.url, source)
            return nil
        },
    ]
}
