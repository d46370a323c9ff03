// The functions on the server that statements call, in databases of earlier releases.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLFunctionsTests {
    /// On a server of its own: others call the function meanwhile.
    @Test func aStoreThatIsOpenedGetsTheFunctionsThatItLacks() throws {
        let server = try PostgreSQLServer.own()
        defer { server.stop() }
        let shelf = Shelf(on: server)
        _ = try shelf.context()
        _ = try shelf.rows(
            "DROP FUNCTION coredata.times(double precision, double precision), coredata.number(double precision)"
        )
        let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
        request.predicate = NSPredicate(format: "pageCount * 1.5 > 1")
        let context = try shelf.context()
        try expect(context.performAndWait { try context.count(for: request) }, equals: 0)
    }
}
