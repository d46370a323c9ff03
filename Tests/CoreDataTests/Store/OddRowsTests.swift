// Rows of files from outside that hold what no save writes.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct OddRowsTests {
    private func url(_ container: StoreContainer) throws -> URL {
        try #require(container.persistentStoreCoordinator.persistentStores.first?.url)
    }

    private func company(_ kind: StoreKind = .sqlite) throws -> (StoreContainer, NSManagedObjectContext) {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            _ = context.make("Company", ["name": "A"])
            try context.save()
            context.reset()
        }
        return (container, context)
    }

    @Test func theGreatestVersionIsFollowedByTheFirst() throws {
        let (container, context) = try company()
        let raw = try RawDatabase(url(container))
        try raw.run("UPDATE ZCOMPANY SET Z_OPT = \(Int64.max)")
        try context.run { () throws in
            let company = try #require(try context.all("Company").first)
            company["name"] = "B"
            try context.save()
            try expect(raw.number("SELECT Z_OPT FROM ZCOMPANY"), equals: 1)
            company["name"] = "C"
            try context.save()
            try expect(raw.number("SELECT Z_OPT FROM ZCOMPANY"), equals: 2)
        }
    }

    @Test func aBatchUpdateOfTheGreatestVersion() throws {
        let (container, context) = try company()
        let raw = try RawDatabase(url(container))
        try raw.run("UPDATE ZCOMPANY SET Z_OPT = \(Int64.max)")
        let request = NSBatchUpdateRequest(entityName: "Company")
        request.propertiesToUpdate = ["name": "B"]
        _ = try context.run { () throws in try context.execute(request) }
        try expect(raw.rows("SELECT Z_OPT, typeof(Z_OPT) FROM ZCOMPANY"), equals: [["1", "integer"]])
    }

    @Test func deletingTheGreatestVersion() throws {
        let (container, context) = try company()
        try RawDatabase(url(container)).run("UPDATE ZCOMPANY SET Z_OPT = \(Int64.max)")
        try context.run { () throws in
            context.delete(try #require(try context.all("Company").first))
            try context.save()
            #expect(try context.all("Company").isEmpty)
        }
    }

    @Test func verificationTellsOfValuesThatShouldntBeThere() throws {
        let (container, context) = try company()
        try context.run { () throws in
            _ = context.make("Person", ["name": "Ada", "age": 3])
            _ = context.make("Person", ["name": "Bob", "height": 1.5])
            try context.save()
        }
        try RawDatabase(url(container)).run(
            """
            UPDATE ZCOMPANY SET ZNAME = NULL, ZFOUNDED = 'long ago';
            UPDATE ZPERSON SET ZAGE = 'three', ZHEIGHT = x'01' WHERE ZNAME = 'Ada'
            """)
        let coordinator = container.persistentStoreCoordinator
        let problems = try coordinator.verify(coordinator.persistentStores[0])
        expect(
            Set(problems.map(\.check)),
            equals: [
                "Company.name: missing values", "Company.founded: values of another type",
                "Person.age: values of another type", "Person.height: values of another type",
            ])
        #expect(problems.allSatisfy { $0.isHarmful && $0.count == 1 && $0.rows.count == 1 })
        #expect(problems.contains { $0.rows == ["1, 'text', 'three'"] })
    }

    @Test func verificationTellsOfRowsThatNobodyFinds() throws {
        let (container, _) = try company()
        try RawDatabase(url(container)).run("UPDATE ZCOMPANY SET Z_PK = 0")
        let coordinator = container.persistentStoreCoordinator
        try expect(
            coordinator.verify(coordinator.persistentStores[0]).map(\.check), equals: ["ZCOMPANY: keys"])
    }

    @Test func verificationTellsOfBytesThatArentThere() throws {
        let folder = try TemporaryFolder()
        let store = FilledStore(folder.file("Store.sqlite"))
        try store.make("old", 3)
        try RawDatabase(store.url).run(
            """
            UPDATE ZPERSON SET ZPORTRAIT = x'03AB' WHERE ZAGE = 1;
            UPDATE ZPERSON SET ZPORTRAIT = 1.5 WHERE ZAGE = 2
            """)
        let coordinator = try store.open()
        let problems = try coordinator.verify(coordinator.persistentStores[0])
        expect(
            Set(problems.map(\.check)),
            equals: [
                "Person.portrait: marks of external values", "Person.portrait: values of another type",
            ])
        #expect(problems.allSatisfy { $0.count == 1 })
    }

    @Test(arguments: [
        (
            "UPDATE ATRANSACTIONSTRING SET ZNAME = x'03' WHERE Z_PK = 1",
            "history: ATRANSACTIONSTRING.ZNAME: values of another type"
        ),
        (
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 'noon'",
            "history: ATRANSACTION.ZTIMESTAMP: values of another type"
        ),
        ("UPDATE ATRANSACTION SET ZBUNDLEIDTS = 99", "history: ATRANSACTION.ZBUNDLEIDTS: targets"),
        ("DELETE FROM ATRANSACTION", "history: ACHANGE.ZTRANSACTIONID: targets"),
        ("DROP TABLE ATRANSACTIONSTRING", "history: layout"),
        ("DROP TABLE ACHANGE", "history: layout"),
    ]) func verificationTellsOfHistoryThatCantBeRead(_ sql: String, _ check: String) throws {
        let folder = try TemporaryFolder()
        let store = FilledStore(folder.file("Store.sqlite"))
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        try store.make("old", 1, options: options)
        try RawDatabase(store.url).run(sql)
        let coordinator = try store.open([NSReadOnlyPersistentStoreOption: true])
        let problems = try coordinator.verify(coordinator.persistentStores[0])
        expect(Set(problems.map(\.check)), equals: [check])
    }

    @Test func aMissingUniqueIndexIsHarmful() throws {
        let fixture = try StoreFixture(.sqlite)
        let raw = try RawDatabase(try #require(fixture.store.url))
        let name = try #require(
            try raw.rows("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE UNIQUE%'").first?.first ?? nil
        )
        try raw.run("DROP INDEX \"\(name)\"")
        let problems = try fixture.coordinator.verify(fixture.store)
        expect(problems.map(\.isHarmful), equals: [true])
        expect(problems.first?.explanation.contains("unique index"), equals: true)
    }
}
