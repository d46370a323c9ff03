// The replicas that tests start.

import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct ReplicaTests {
    @Test func aReplicaFollowsAndCanBePromoted() throws {
        let primary = try PostgreSQLServer.own()
        let replica = try primary.makeReplica()
        let writer = try ServerConnection(ServerAddress(parsing: primary.address()))
        try writer.run("CREATE TABLE t (n bigint)")
        try writer.run("INSERT INTO t VALUES (1)")
        try primary.waitForReplicas()
        let reader = try ServerConnection(ServerAddress(parsing: replica.address()))
        try expect(reader.run("SELECT n FROM t").integer(0, column: 0), equals: 1)
        let refused = #expect(throws: ServerFailure.self) { try reader.run("INSERT INTO t VALUES (2)") }
        expect(refused?.kind, equals: .readOnly)
        primary.stop()
        try replica.promote()
        try reader.run("INSERT INTO t VALUES (2)")
        try expect(reader.run("SELECT count(*) FROM t").integer(0, column: 0), equals: 2)
        replica.stop()
    }
}
