// Stores whose file is read and written whole: their files, their metadata, other writers, damage.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct FileStoreTests {
    static let kinds: [StoreKind] = [.xml, .binary]

    private let date = Date(timeIntervalSinceReferenceDate: 123_456.789)

    /// A person with everything, two projects shared with another, ordered notes.
    private func fill(_ context: NSManagedObjectContext) throws {
        try context.run {
            let anna = context.make(
                "Person",
                [
                    "name": "Anna <&> \"\u{1}\r\n\\u3c00", "age": 40, "height": 0.1, "isActive": true,
                    "badge": UUID(uuidString: "00000000-0000-0000-0000-000000000001") as Any,
                    "home": URL(string: "http://a.example/?a=1&b=2") as Any, "photo": Data([0, 255, 7]),
                    "rating": Float(1.5), "visits": Int64.max, "level": Int32.min, "tags": ["x", "y"],
                ])
            let ben = context.make("Employee", ["name": "", "salary": 5])
            let company = context.make(
                "Company",
                ["name": "Acme", "founded": date, "budget": Decimal(string: "12345678901234567890.5") as Any])
            anna.setValue(company, forKey: "company")
            anna.setValue(ben, forKey: "spouse")
            for title in ["P1", "P2"] {
                let project = context.make("Project", ["title": title])
                project.setValue(Set([anna, ben]), forKey: "members")
            }
            let notes = ["c", "a", "b"].map { context.make("Note", ["text": $0]) }
            anna.setValue(NSOrderedSet(array: notes), forKey: "notes")
            try context.save()
        }
    }

    @Test(arguments: kinds)
    func everyValueComesBack(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        try fill(container.newBackgroundContext())
        let again = try kind.makeContainer(reopening: container).newBackgroundContext()
        try again.run {
            let anna = try #require(try again.all("Person", "age == 40").first)
            expect(anna.text("name"), equals: "Anna <&> \"\u{1}\r\n\\u3c00")
            expect(anna.value(forKey: "height") as? Double, equals: 0.1)
            expect(anna.value(forKey: "isActive") as? Bool, equals: true)
            #expect(anna.value(forKey: "badge") as? UUID != nil)
            #expect((anna.value(forKey: "home") as? URL)?.absoluteString == "http://a.example/?a=1&b=2")
            expect(anna.value(forKey: "photo") as? Data, equals: Data([0, 255, 7]))
            expect(anna.value(forKey: "rating") as? Float, equals: 1.5)
            expect(anna.value(forKey: "visits") as? Int64, equals: .max)
            expect(anna.value(forKey: "level") as? Int32, equals: .min)
            expect(anna.value(forKey: "tags") as? [String], equals: ["x", "y"])
            let company = try #require(anna.value(forKey: "company") as? NSManagedObject)
            expect(company.value(forKey: "founded") as? Date, equals: date)
            expect(
                company.value(forKey: "budget") as? Decimal, equals: Decimal(string: "12345678901234567890.5")
            )
            let ben = try #require(anna.value(forKey: "spouse") as? NSManagedObject)
            #expect(ben.entity.name == "Employee" && ben.text("name") == "")
            #expect(ben.value(forKey: "age") == nil)
            let projects = try #require(anna.value(forKey: "projects") as? NSSet)
            #expect(projects == ben.value(forKey: "projects") as? NSSet && projects.count == 2)
            let notes = try #require(anna.value(forKey: "notes") as? NSOrderedSet)
            expect(
                notes.array.compactMap { ($0 as? NSManagedObject)?.text("text") }, equals: ["c", "a", "b"])
        }
    }

    @Test(arguments: kinds)
    func objectsKeepTheirIDs(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try fill(context)
        let again = try kind.makeContainer(reopening: container)
        let other = again.newBackgroundContext()
        for entity in ["Person", "Project", "Note"] {
            let before = try context.run { try context.all(entity).map { $0.objectID.uriRepresentation() } }
            let after = try other.run { try other.all(entity).map { $0.objectID.uriRepresentation() } }
            expect(Set(before), equals: Set(after))
        }
        // Keys of deleted rows aren't given away again.
        let last = try other.run {
            let note = other.make("Note")
            try other.save()
            other.delete(note)
            try other.save()
            return note.objectID.uriRepresentation()
        }
        let third = try kind.makeContainer(reopening: container).newBackgroundContext()
        try third.run {
            let note = third.make("Note")
            try third.save()
            #expect(note.objectID.uriRepresentation() != last)
        }
    }

    @Test(arguments: kinds)
    func metadataIsReadAndSetWithoutOpening(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        try fill(container.newBackgroundContext())
        let url = try #require(container.store.url)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.type, at: url)
        expect(metadata[NSStoreTypeKey] as? String, equals: kind.type)
        expect(metadata[NSStoreUUIDKey] as? String, equals: container.store.identifier)
        expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.count, equals: 5)
        #expect(
            container.managedObjectModel.isConfiguration(
                withName: nil, compatibleWithStoreMetadata: metadata))
        try expect(
            NSPersistentStoreCoordinator.metadataForPersistentStore(with: url)[NSStoreTypeKey] as? String,
            equals: kind.type)
        metadata["colour"] = "red <&>"
        metadata["when"] = Date(timeIntervalSinceReferenceDate: 1000)
        try NSPersistentStoreCoordinator.setMetadata(
            metadata, forPersistentStoreOfType: kind.type, at: url)
        let again = try kind.makeContainer(reopening: container)
        expect(again.store.metadata["colour"] as? String, equals: "red <&>")
        expect(again.store.metadata["when"] as? Date, equals: Date(timeIntervalSinceReferenceDate: 1000))
        let context = again.newBackgroundContext()
        try expect(context.run { try context.all("Note").count }, equals: 3)
        // The open store has noticed.
        let first = container.newBackgroundContext()
        _ = try first.run { try first.all("Note") }
        expect(container.store.metadata["colour"] as? String, equals: "red <&>")
    }

    @Test(arguments: kinds)
    func changesOfAnotherWriterAreSeenAndConflict(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let mine = container.newBackgroundContext()
        try fill(mine)
        let anna = try mine.run { try #require(try mine.all("Person", "age == 40").first) }
        let theirs = try kind.makeContainer(reopening: container).newBackgroundContext()
        try theirs.run {
            try #require(try theirs.all("Person", "age == 40").first).setValue(41, forKey: "age")
            _ = theirs.make("Company", ["name": "New"])
            try theirs.save()
        }
        try expect(mine.run { try mine.all("Company", "name == 'New'").count }, equals: 1)
        let error = StoreFixtures.error {
            try mine.run {
                anna.setValue(42, forKey: "age")
                try mine.save()
            }
        }
        expect(error?.code, equals: NSManagedObjectMergeError)
        mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try mine.run { try mine.save() }
        try expect(theirs.run { try theirs.count(for: request("Person", "age == 42")) }, equals: 1)
        // Keys taken by one aren't used by the other.
        try theirs.run {
            _ = theirs.make("Note", ["text": "theirs"])
            try theirs.save()
        }
        try mine.run {
            _ = mine.make("Note", ["text": "mine"])
            try mine.save()
            try expect(mine.all("Note").count, equals: 5)
        }
    }

    private func request(_ entity: String, _ format: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        return request
    }

    @Test(arguments: kinds)
    func anotherModelIsRefused(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let model = CompanyModel.make()
        model.entitiesByName["Note"]?.properties.append(NSAttributeDescription("size", .integer32))
        let error = StoreFixtures.error { _ = try kind.makeContainer(model, reopening: container) }
        // Descriptions ask for migration, and such a store doesn't keep its model.
        expect(error?.code, equals: NSMigrationMissingSourceModelError)
        let ignoring = try kind.makeContainer(
            model, reopening: container,
            options: [NSIgnorePersistentStoreVersioningOption: NSNumber(value: true)])
        let context = ignoring.newBackgroundContext()
        try expect(context.run { try context.all("Note").count }, equals: 0)
    }

    @Test(arguments: kinds)
    func readOnlyStoresStayAsTheyAre(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        try fill(container.newBackgroundContext())
        let url = try #require(container.store.url)
        let bytes = try Data(contentsOf: url)
        let options = [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]
        let context = try kind.makeContainer(reopening: container, options: options).newBackgroundContext()
        let error = StoreFixtures.error {
            try context.run {
                _ = context.make("Note")
                try context.save()
            }
        }
        expect(error?.code, equals: NSPersistentStoreSaveError)
        try expect(Data(contentsOf: url), equals: bytes)
        let missing = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let absent = StoreFixtures.error {
            try missing.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: container.folder.file("none"),
                options: [NSReadOnlyPersistentStoreOption: true])
        }
        expect(absent?.code, equals: NSFileReadNoSuchFileError)
    }

    /// A file that is to be read isn't there; one that is to be made has no place.
    @Test(arguments: kinds, [true, false])
    func aFolderThatIsMissingIsNamed(_ kind: StoreKind, _ isReadOnly: Bool) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let error = StoreFixtures.error {
            try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: folder.file("nowhere/store"),
                options: [NSReadOnlyPersistentStoreOption: isReadOnly])
        }
        expect(error?.code, equals: isReadOnly ? NSFileReadNoSuchFileError : NSFileNoSuchFileError)
        #expect(isReadOnly || error?.localizedDescription.contains("folder") == true)
    }

    @Test(arguments: kinds)
    func aFailedSaveLeavesFileAndRowsAlone(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try fill(context)
        let url = try #require(container.store.url)
        let bytes = try Data(contentsOf: url)
        try FileManager.default.moveItem(
            at: container.folder.url, to: container.folder.url.appendingPathExtension("x"))
        let error = StoreFixtures.error {
            try context.run {
                _ = context.make("Note", ["text": "d"])
                try context.save()
            }
        }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSFileNoSuchFileError)
        try FileManager.default.moveItem(
            at: container.folder.url.appendingPathExtension("x"), to: container.folder.url)
        try expect(Data(contentsOf: url), equals: bytes)
        try expect(
            FileManager.default.contentsOfDirectory(atPath: container.folder.url.path).count, equals: 1)
        let other = container.newBackgroundContext()
        try expect(other.run { try other.all("Note").count }, equals: 3)
        try context.run { try context.save() }
        try expect(other.run { try other.all("Note").count }, equals: 4)
    }

    @Test(arguments: kinds, [StoreKind.sqlite, .xml, .binary])
    func filesOfOtherTypesAreRefused(_ kind: StoreKind, _ other: StoreKind) throws {
        if kind == other { return }
        let container = try other.makeContainer()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let url = try #require(container.store.url)
        let error = StoreFixtures.error {
            try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        }
        let codes = [NSPersistentStoreTypeMismatchError, NSFileReadCorruptFileError]
        #expect(codes.contains(error?.code ?? 0), "\(error as Any)")
        expect(error?.localizedFailureReason?.isEmpty, equals: false)
    }

    @Test func binaryStoresOfAppleAreNamedAsSuch() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("apple.store")
        try (Data("bplist00".utf8) + Data(repeating: 7, count: 100)).write(to: url)
        let error = StoreFixtures.error {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url)
        }
        expect(error?.code, equals: NSPersistentStoreTypeMismatchError)
        expect(error?.localizedFailureReason?.contains("Apple"), equals: true)
    }

    // MARK: Damage

    @Test(arguments: kinds)
    func damagedFilesGiveErrors(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        try fill(container.newBackgroundContext())
        let bytes = try Data(contentsOf: try #require(container.store.url))
        let url = container.folder.file("damaged")
        var random = SeededGenerator(seed: 8)
        var refused = 0
        let count = rounds(80, long: 400)
        for round in 0..<count {
            var damaged = bytes
            if round % 2 == 0 {
                damaged = damaged.prefix(Int.random(in: 1..<bytes.count, using: &random))
            } else {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    damaged[Int.random(in: 0..<bytes.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            try damaged.write(to: url)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
            let error = StoreFixtures.error {
                try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
            }
            if let error {
                refused += 1
                expect(error.domain, equals: NSCocoaErrorDomain)
            }
            try expect(Data(contentsOf: url), equals: damaged)
        }
        // A binary store notices every change, XML those that aren't in a text.
        #expect(kind == .binary ? refused == count : refused >= count / 2)
    }

    @Test(arguments: [
        "<database/>", "<database><databaseInfo/></database>",
        "<database><databaseInfo><UUID>A</UUID></databaseInfo><thing/></database>",
        "<database><databaseInfo><UUID>A</UUID></databaseInfo><object type=\"NOTE\" id=\"17\"/></database>",
        "<database><databaseInfo><UUID>A</UUID></databaseInfo><object type=\"NOTE\" id=\"z0\"/></database>",
        "<database><databaseInfo><UUID>A</UUID></databaseInfo><object type=\"TABLE\" id=\"z7\"/></database>",
        "<database><databaseInfo><UUID>A</UUID></databaseInfo><object type=\"NOTE\" id=\"z7\">"
            + "<attribute name=\"text\" type=\"string\" encoding=\"base64\">?</attribute></object></database>",
        "<database><databaseInfo><UUID>A</UUID></databaseInfo><object type=\"NOTE\" id=\"z7\">"
            + "<relationship name=\"author\" idrefs=\"z7\"/></object></database>",
        "<other><databaseInfo><UUID>A</UUID></databaseInfo></other>",
    ])
    func brokenDocumentsGiveErrors(_ document: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("broken.xml")
        try Data(document.utf8).write(to: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let error = StoreFixtures.error {
            try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: url)
        }
        expect(error?.domain, equals: NSCocoaErrorDomain)
    }

    @Test func aDocumentAsAppleWritesItIsRead() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("apple.xml")
        let document = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>0E5F0F0C-0000-4000-8000-000000000000</UUID>
                    <nextObjectID>106</nextObjectID>
                    <metadata>
                        <plist version="1.0">
                            <dict>
                                <key>NSPersistenceFrameworkVersion</key>
                                <integer>241</integer>
                                <key>NSStoreModelVersionIdentifiers</key>
                                <array></array>
                            </dict>
                        </plist>
                    </metadata>
                </databaseInfo>
                <object type="PERSON" id="z104">
                    <attribute name="name" type="string">Anna</attribute>
                    <attribute name="isActive" type="bool">1</attribute>
                    <relationship name="company" type="0/1" destination="COMPANY" idrefs="z102"></relationship>
                    <relationship name="projects" type="0/0" destination="PROJECT"></relationship>
                </object>
                <object type="COMPANY" id="z102">
                    <attribute name="founded" type="date">213195600.00000000000000000000</attribute>
                    <attribute name="name" type="string">Acme &amp; Sons</attribute>
                    <relationship name="people" type="0/0" destination="PERSON" idrefs="z104"></relationship>
                </object>
            </database>
            """
        try Data(document.utf8).write(to: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let options = [NSIgnorePersistentStoreVersioningOption: true]
        let store = try coordinator.addPersistentStore(
            ofType: NSXMLStoreType, configurationName: nil, at: url, options: options)
        expect(store.identifier, equals: "0E5F0F0C-0000-4000-8000-000000000000")
        let context = StoreFixtures.context(coordinator)
        try context.run {
            let anna = try #require(try context.all("Person").first)
            let company = try #require(anna.value(forKey: "company") as? NSManagedObject)
            expect(company.text("name"), equals: "Acme & Sons")
            expect(
                company.value(forKey: "founded") as? Date,
                equals: Date(timeIntervalSinceReferenceDate: 213_195_600))
            expect(anna.objectID.uriRepresentation().path, equals: "/Person/p104")
            let note = context.make("Note", ["author": anna])
            try context.save()
            expect(note.objectID.uriRepresentation().path, equals: "/Note/p106")
        }
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains("<nextObjectID>107</nextObjectID>"))
        #expect(text.contains("<object type=\"NOTE\" id=\"z106\">"))
        #expect(text.contains("destination=\"PERSON\" idrefs=\"z104\"></relationship>"))
    }
}
