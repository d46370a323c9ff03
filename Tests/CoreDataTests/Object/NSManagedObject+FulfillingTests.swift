// Reading with an error: rows, members, external values.

@testable import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FulfillingTests {
    @Test func aFaultIsReadOrSaysWhyNot() throws {
        let stack = try DamagedStack()
        let context = stack.context
        try context.run { () throws in
            let person = try stack.fault("Person", "person 30")
            try stack.damage("person 30 ")
            #expect(error { try person.fulfillFault() }?.code == NSFileReadCorruptFileError)
            #expect(person.isFault && context.readError == nil)
            #expect(person.value(forKey: "name") == nil && context.readError != nil)
            #expect(error { try person.fulfillFault() }?.code == NSFileReadCorruptFileError)
            #expect(context.readError != nil)
            try stack.repair()
            try person.fulfillFault()
            #expect(context.readError == nil)
            expect(person.text("name")?.hasPrefix("person 30 "), equals: true)
            #expect(error { try person.fulfillFault(forKey: "nonsense") }?.code == NSCoreDataError)
        }
    }

    @Test func membersAreReadOrSayWhyNot() throws {
        let stack = try DamagedStack()
        let context = stack.context
        try context.run { () throws in
            let company = try stack.fault("Company", "Acme of")
            try company.fulfillFault()
            #expect(!company.isFault && company.hasFault(forRelationshipNamed: "people"))
            try stack.damage("person 30 ")
            #expect(error { try company.fulfillFault(forKey: "people") }?.code == NSFileReadCorruptFileError)
            #expect(company.hasFault(forRelationshipNamed: "people") && context.readError == nil)
            #expect((company.value(forKey: "people") as? NSSet)?.count == 0 && context.readError != nil)
            try stack.repair()
            try company.fulfillFault(forKey: "people")
            #expect((company.value(forKey: "people") as? NSSet)?.count == 60 && context.readError == nil)
        }
    }

    @Test func aRowThatIsGoneIsToldSo() throws {
        let stack = try TestStack()
        let other = stack.another()
        try stack.context.run { () throws in
            let note = stack.context.make("Note")
            try stack.context.save()
            let fault = other.object(with: note.objectID)
            stack.context.delete(note)
            try stack.context.save()
            #expect(error { try fault.fulfillFault() }?.code == NSManagedObjectReferentialIntegrityError)
            _ = fault.value(forKey: "text")
            #expect(error { try fault.fulfillFault() }?.code == NSManagedObjectReferentialIntegrityError)
            #expect(other.readError == nil)
        }
    }

    @Test func anObjectWithoutAContextIsToldSo() throws {
        let stack = try TestStack()
        let id = try stack.context.run { () throws in
            let note = stack.context.make("Note")
            try stack.context.save()
            return note.objectID
        }
        var other: NSManagedObjectContext? = stack.another()
        let fault = try #require(other?.object(with: id))
        other = nil
        #expect(error { try fault.fulfillFault() }?.code == NSPersistentStoreOperationError)
    }
}

@Suite struct UnreadableExternalValueTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let file: URL
    private static let content = Data(repeating: 7, count: 200_000)

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Pictures.sqlite")
        let opened = try OpenStore(url, Self.model())
        let picture = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: opened.context)
        picture.setValue(Self.content, forKey: "bytes")
        picture.setValue("one", forKey: "title")
        try #require(opened.save() == [])
        try opened.close()
        let files = folder.file(".Pictures_SUPPORT/_EXTERNAL_DATA")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: files.path).first)
        file = files.appendingPathComponent(name)
    }

    private static func model() -> NSManagedObjectModel {
        let bytes = NSAttributeDescription("bytes", .binaryDataAttributeType)
        bytes.allowsExternalBinaryDataStorage = true
        let model = NSManagedObjectModel()
        model.entities = [
            NSEntityDescription(
                "Picture", [bytes] + NSAttributeDescription.all(("title", .stringAttributeType)))
        ]
        return model
    }

    enum Damage: CaseIterable {
        case removed, folder
    }

    private func damage(_ damage: Damage) throws {
        try FileManager.default.removeItem(at: file)
        if damage == .folder {
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        }
    }

    private func expect(
        _ error: NSError?, _ damage: Damage, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
        #expect(error?.code == NSFileReadUnknownError, sourceLocation: sourceLocation)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path, sourceLocation: sourceLocation)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.domain == NSPOSIXErrorDomain, sourceLocation: sourceLocation)
        #expect(cause?.code == Int(damage == .removed ? ENOENT : EISDIR), sourceLocation: sourceLocation)
    }

    @Test(arguments: Damage.allCases)
    func aGetterGivesNilAndTheNextSaveSaysWhy(kind: Damage) throws {
        let opened = try OpenStore(url, Self.model())
        let context = opened.context
        let cell = try PlainDatabase(url).rows("SELECT ZBYTES, ZTITLE FROM ZPICTURE")
        let picture = try #require(try context.run { try context.all("Picture") }.first)
        try damage(kind)
        context.performAndWait {
            let said = warnings {
                #expect(picture.value(forKey: "bytes") == nil)
                #expect(picture[ManagedAttribute("bytes")] as Data? == nil)
                #expect((picture[ManagedAttribute("bytes")] as Data).isEmpty)
                #expect(picture.committedValues(forKeys: ["bytes"])["bytes"] is NSNull)
            }
            #expect(said.count == 1 && said[0].contains("\"bytes\" of Picture"), "\(said)")
            #expect(picture.text("title") == "one")
            picture.setValue("two", forKey: "title")
            expect(error { try context.save() }, kind)
            expect(error { _ = try context.all("Picture") }, kind)
            expect(context.readError, kind)
            #expect(context.readError?.userInfo["property"] as? String == "bytes")
        }
        #expect(try PlainDatabase(url).rows("SELECT ZBYTES, ZTITLE FROM ZPICTURE") == cell)
        try context.run { () throws in
            // A file that isn't read needn't be there, and the row goes on naming it.
            let picture = try #require(context.registeredObjects.first)
            context.refresh(picture, mergeChanges: true)
            try context.save()
        }
        let after = try PlainDatabase(url).rows("SELECT ZBYTES, ZTITLE FROM ZPICTURE")
        #expect(after == [[cell[0][0], .text("two")]])
    }

    @Test(arguments: Damage.allCases)
    func readingWithAnErrorThrowsItAndReadsAgain(kind: Damage) throws {
        let opened = try OpenStore(url, Self.model())
        let context = opened.context
        try context.run { () throws in
            let picture = try #require(try context.all("Picture").first)
            try damage(kind)
            expect(error { try picture.fulfillFault(forKey: "bytes") }, kind)
            #expect(context.readError == nil)
            #expect(picture.value(forKey: "bytes") == nil && context.readError != nil)
            if kind == .folder { try FileManager.default.removeItem(at: file) }
            try Self.content.write(to: file)
            try picture.fulfillFault(forKey: "bytes")
            #expect(context.readError == nil && picture.value(forKey: "bytes") as? Data == Self.content)
        }
    }

    /// Its file went with it.
    @Test func theValueOfADeletedObjectIsNoError() throws {
        let opened = try OpenStore(url, Self.model())
        let context = opened.context
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = opened.coordinator
        let (picture, same) = (
            try #require(try context.run { try context.all("Picture") }.first),
            try #require(try other.run { try other.all("Picture") }.first)
        )
        try context.run { () throws in
            context.delete(picture)
            try context.save()
            #expect(!FileManager.default.fileExists(atPath: file.path))
            #expect(picture.value(forKey: "bytes") == nil && picture.text("title") == "one")
            #expect(context.readError == nil)
            #expect(try context.all("Picture") == [])
        }
        try other.run { () throws in
            #expect(same.value(forKey: "bytes") == nil && same.text("title") == "one")
            #expect(other.readError == nil)
            #expect(try other.all("Picture") == [])
        }
    }

    @Test(arguments: Damage.allCases)
    func dictionariesThrowIt(kind: Damage) throws {
        let opened = try OpenStore(url, Self.model())
        try damage(kind)
        let request = NSFetchRequest<NSDictionary>(entityName: "Picture")
        request.resultType = .dictionaryResultType
        expect(error { try opened.context.run { _ = try opened.context.fetch(request) } }, kind)
        request.propertiesToFetch = ["title"]
        #expect(try opened.context.run { try opened.context.fetch(request) } == [["title": "one"]])
    }

    @Test func aStoreThatLacksAValueIsNotCopiedWithoutIt() throws {
        let opened = try OpenStore(url, Self.model())
        try damage(.removed)
        let target = folder.file("Pictures.xml")
        let thrown = error {
            _ = try opened.coordinator.migratePersistentStore(
                opened.store, to: target, options: nil, type: .xml)
        }
        expect(thrown, .removed)
        #expect(!FileManager.default.fileExists(atPath: target.path))
        #expect(opened.coordinator.persistentStores.map(\.url) == [url])
    }
}
