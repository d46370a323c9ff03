// Passwords in addresses: in no error, no description and no warning, whatever fails.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLSecretsTests {
    private static let password = "n0body-knows"
    private let shelf: Shelf
    private let relay: StatementRelay

    init() throws {
        shelf = try Shelf()
        relay = try StatementRelay(to: shelf.server)
    }

    /// Everything that something shows of itself, with what is inside.
    private func text(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        if let error = value as? NSError {
            text += error.localizedDescription + (error.localizedFailureReason ?? "")
            for (key, inner) in error.userInfo { text += "\(key) " + self.text(inner) }
        }
        return text
    }

    private func description(_ address: String) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(postgreSQL: address, schema: shelf.schema)
        description.setOption(NSNumber(value: 0), forKey: PostgreSQLStore.readerLimitOption)
        return description
    }

    /// Runs a closure, and expects the password in nothing that it throws and in no warning.
    private func expectSilence(_ place: String, _ body: () throws -> Void) {
        let warnings = Mutex<[String]>([])
        Log.$sink.withValue(Log.Sink { text in warnings.withLock { $0.append(text) } }) {
            do {
                try body()
                Issue.record("\(place): nothing failed")
            } catch {
                #expect(!text(error).contains(Self.password), "\(place)")
                expect((error as NSError).domain, equals: NSCocoaErrorDomain, "\(place)")
            }
        }
        for warning in warnings.withLock({ $0 }) { #expect(!warning.contains(Self.password), "\(place)") }
    }

    @Test func openingFailsWithoutAWordOfIt() {
        let word = Self.password
        let folder = shelf.server.folder
        let addresses = [
            "postgresql://guarded:\(word)@/postgres?host=\(folder)",
            "host=\(folder) user=guarded password=\(word) dbname=postgres",
            "postgresql://ann:\(word)@/nowhere?host=\(folder)",
            "postgresql://tester:\(word)@/nowhere?host=\(folder)",
            "postgresql://tester:\(word)@/postgres?host=/tmp/nobody-is-here",
            "postgresql://tester:\(word)@nobody.invalid,also.invalid/postgres?connect_timeout=2",
            "postgresql://tester:\(word)@/postgres?host=\(folder)&sslmode=nonsense",
            "postgresql://tester:\(word)@/postgres?host=\(folder)&nonsense=1",
            "postgresql://tester:\(word)@[/postgres", "postgresql://tester:\(word)@host:port:other/%zz",
            "host=\(folder) password=\(word) nonsense", "password='\(word)",
            "postgresql://tester@/postgres?host=\(folder)&password=\(word)&options=-cnonsense%3D1",
            "postgresql://tester:\(word)@/postgres?host=\(folder)&target_session_attrs=standby",
        ]
        for address in addresses {
            let description = description(address)
            expectSilence(address) { _ = try shelf.context(description) }
            #expect(!text(description).contains(word))
            #expect(!text(description.options).contains(word))
        }
        let url = URL(string: "postgresql://tester:\(word)@/postgres?host=/tmp/x")
        expectSilence("metadata") {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: PostgreSQLStore.type, at: try #require(url))
        }
        expectSilence("destroying") {
            try NSPersistentStoreCoordinator(managedObjectModel: Shelf.model()).destroyPersistentStore(
                at: try #require(url), type: .init(rawValue: PostgreSQLStore.type))
        }
    }

    @Test(arguments: [StatementRelay.Fault.silence, .loseAnswer, .hang, .hangAnswer])
    func requestsThatLoseTheirConnectionFailWithoutAWordOfIt(_ fault: StatementRelay.Fault) throws {
        let description = description(
            "host=\(relay.folder) user=tester password=\(Self.password) dbname=postgres tcp_user_timeout=300 connect_timeout=2"
        )
        let context = try shelf.context(description)
        context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            relay.arm(fault, at: 1)
            expectSilence("fetch, \(fault)") { _ = try context.fetch(request) }
            relay.arm(nil)
            let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
            book.setValue("Title", forKey: "title")
            relay.arm(fault, at: 2)
            expectSilence("save, \(fault)") { try context.save() }
            relay.arm(nil)
        }
        #expect(!text(context).contains(Self.password))
        #expect(!text(context.persistentStoreCoordinator as Any).contains(Self.password))
        let store = context.persistentStoreCoordinator?.persistentStores.first
        #expect(store != nil)
        #expect(!text(store as Any).contains(Self.password))
    }

    @Test func refusedValuesAndStatementsFailWithoutAWordOfIt() throws {
        let context = try shelf.context(
            description("host=\(shelf.server.folder) user=tester password=\(Self.password) dbname=postgres"))
        context.performAndWait {
            let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
            book.setValue("a\0b", forKey: "title")
            expectSilence("value") { try context.save() }
            context.rollback()
            expectSilence("dropped table") {
                _ = try shelf.rows("DROP TABLE printed_book CASCADE")
                _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "PrintedBook"))
            }
        }
    }
}
