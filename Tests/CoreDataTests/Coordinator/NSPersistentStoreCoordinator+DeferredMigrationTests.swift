import CoreData
import CoreDataTestSupport
import Testing

@Suite struct DeferredMigrationTests {
    private func model(_ attributes: String...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [
            NSEntityDescription("Note", attributes.map { NSAttributeDescription($0, .stringAttributeType) })
        ]
        return model
    }

    @Test func aMigrationIsWholeOnceTheStoreIsAdded() throws {
        let stack = try TestStack(model: model("text", "old"))
        try stack.context.run { () throws in
            _ = stack.context.make("Note", ["text": "a", "old": "b"])
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model("text", "new"))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true,
                NSPersistentStoreDeferredLightweightMigrationOptionKey: true,
            ])
        let columns = try RawDatabase(stack.url).rows("SELECT name FROM pragma_table_info('ZNOTE')")
        expect(Set(columns.compactMap { $0[0] }), equals: ["Z_PK", "Z_ENT", "Z_OPT", "ZTEXT", "ZNEW"])
        try coordinator.finishDeferredLightweightMigrationTask()
        try coordinator.finishDeferredLightweightMigration()
        try expect(RawDatabase(stack.url).rows("SELECT ZTEXT FROM ZNOTE"), equals: [["a"]])
    }
}
