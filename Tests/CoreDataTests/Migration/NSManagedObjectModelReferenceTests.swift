// References to versions of models.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSManagedObjectModelReferenceTests {
    private let model = LibraryModels.first()

    @Test func everyKindLeadsToTheModel() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Library 1.mom")
        try model.write(to: file)
        let bundle = try #require(Bundle(path: folder.url.path))
        let checksum = model.versionChecksum
        let references = [
            NSManagedObjectModelReference(model: model, versionChecksum: checksum),
            NSManagedObjectModelReference(fileURL: file, versionChecksum: checksum),
            NSManagedObjectModelReference(
                entityVersionHashes: model.entityVersionHashesByName, in: bundle, versionChecksum: checksum),
            NSManagedObjectModelReference(name: "Library 1", in: bundle, versionChecksum: checksum),
        ]
        for reference in references {
            expect(reference.versionChecksum, equals: checksum)
            expect(reference.resolvedModel.entityVersionHashesByName, equals: model.entityVersionHashesByName)
            #expect(reference.resolvedModel === reference.resolvedModel)
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "shared/data is not beside the checkout"))
    func versionsAreFoundInVersionedModels() throws {
        let url = try SharedFiles.url("models/CoreDataPlus/SampleModel.xcdatamodeld")
        for (name, checksum) in try NSManagedObjectModel.__checksumsForVersionedModel(at: url) {
            let byFile = NSManagedObjectModelReference(fileURL: url, versionChecksum: checksum)
            expect(byFile.resolvedModel.versionChecksum, equals: checksum)
            let bundle = try #require(Bundle(path: url.deletingLastPathComponent().path))
            let byName = NSManagedObjectModelReference(name: name, in: bundle, versionChecksum: checksum)
            expect(byName.resolvedModel.versionChecksum, equals: checksum)
        }
    }

    @Test func anotherChecksumStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            _ =
                NSManagedObjectModelReference(model: LibraryModels.first(), versionChecksum: "other")
                .resolvedModel
        }
        await #expect(processExitsWith: .failure) {
            _ =
                NSManagedObjectModelReference(
                    fileURL: URL(fileURLWithPath: "/nowhere.momd"), versionChecksum: "other"
                ).resolvedModel
        }
    }

    @Test func stagesKeepWhatTheyAreGiven() {
        let (old, new) = (LibraryModels.first(), LibraryModels.second())
        let from = NSManagedObjectModelReference(model: old, versionChecksum: old.versionChecksum)
        let to = NSManagedObjectModelReference(model: new, versionChecksum: new.versionChecksum)
        let custom = NSCustomMigrationStage(migratingFrom: from, to: to)
        #expect(custom.currentModel === from && custom.nextModel === to)
        #expect(custom.willMigrateHandler == nil && custom.didMigrateHandler == nil)
        let light = NSLightweightMigrationStage(["a", "b"])
        expect(light.versionChecksums, equals: ["a", "b"])
        light.label = "light"
        let stage: NSMigrationStage = light
        expect(stage.label, equals: "light")
        let manager = NSStagedMigrationManager([light, custom])
        #expect(manager.stages == [light, custom] && manager.container == nil)
    }
}
