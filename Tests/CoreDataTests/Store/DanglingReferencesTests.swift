// Stores in which an object names one that is gone, as happens without an inverse and by the rule "no action".

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DanglingReferencesTests {
    enum Reference: String, CaseIterable {
        case withoutInverse, manyWithoutInverse, noAction, manyNoAction
    }

    private func model(_ reference: Reference) -> NSManagedObjectModel {
        let (note, writer) = (
            NSEntityDescription("Note", [NSAttributeDescription("text", .string)]),
            NSEntityDescription("Writer", [NSAttributeDescription("name", .string)])
        )
        switch reference {
        case .withoutInverse: note.properties.append(NSRelationshipDescription("writers", to: writer, .one))
        case .manyWithoutInverse:
            note.properties.append(NSRelationshipDescription("writers", to: writer, .many))
        case .noAction:
            NSRelationshipDescription.connect(
                writer, "notes", .many, note, "writers", .one, rule: .noActionDeleteRule)
        case .manyNoAction:
            NSRelationshipDescription.connect(
                writer, "notes", .many, note, "writers", .many, rule: .noActionDeleteRule)
        }
        let model = NSManagedObjectModel()
        model.entities = [note, writer]
        return model
    }

    /// The store opens, shows the objects that are left, and takes changes of the one that names what is gone.
    @Test(arguments: StoreKind.allCases.filter(\.hasFile), Reference.allCases)
    func theStoreCanBeUsedAfterwards(_ kind: StoreKind, _ reference: Reference) throws {
        let container = try kind.makeContainer(model(reference))
        let context = container.newBackgroundContext()
        try context.run {
            let note = context.make("Note", ["text": "a"])
            let writer = context.make("Writer", ["name": "b"])
            let value: Any =
                note.entity.relationshipsByName["writers"]?.isToMany == true ? Set([writer]) : writer
            note.setValue(value, forKey: "writers")
            try context.save()
            context.delete(writer)
            try context.save()
        }
        for text in ["c", "d"] {
            let again = try kind.makeContainer(model(reference), reopening: container)
            let other = again.newBackgroundContext()
            try other.run {
                let note = try #require(other.all("Note").first)
                let names =
                    (note.value(forKey: "writers") as? NSManagedObject).map { [$0] }
                    ?? (note.value(forKey: "writers") as? Set<NSManagedObject>).map(Array.init) ?? []
                expect(names.compactMap { $0.value(forKey: "name") as? String }, equals: [])
                note.setValue(text, forKey: "text")
                try other.save()
                try expect(other.all("Writer").count, equals: 0)
            }
            try again.persistentStoreCoordinator.remove(again.store)
        }
        let last = try kind.makeContainer(model(reference), reopening: container).newBackgroundContext()
        try expect(last.run { try last.all("Note").map { $0.text("text") } }, equals: ["d"])
    }

    /// A file of another program may name what isn't there.
    @Test func aDocumentMayNameAnObjectThatIsGone() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Notes.xml")
        let document = """
            <database><databaseInfo><UUID>A</UUID></databaseInfo><object type="NOTE" id="z7">\
            <attribute name="text" type="string">a</attribute><relationship name="writers" idrefs="z8"/>\
            </object></database>
            """
        for reference in Reference.allCases {
            try Data(document.utf8).write(to: url)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(reference))
            try coordinator.addPersistentStore(
                ofType: NSXMLStoreType, configurationName: nil, at: url,
                options: [NSIgnorePersistentStoreVersioningOption: true])
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let note = try #require(try context.all("Note").first)
            expect(note.text("text"), equals: "a", "\(reference)")
            let writers = note.value(forKey: "writers")
            #expect(writers == nil || (writers as? Set<NSManagedObject>)?.isEmpty == true, "\(reference)")
        }
    }
}
