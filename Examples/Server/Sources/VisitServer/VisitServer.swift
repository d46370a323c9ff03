// A server that counts visits: `PORT` is where it listens, `VISITS` where it keeps them (VisitStore).

import CoreData
import Dispatch

@main
struct VisitServer {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let store = try await VisitStore(environment)
        let listener = try Listener(port: environment["PORT"].flatMap(UInt16.init) ?? 0)
        print("http://127.0.0.1:\(listener.port)/")
        fflush(nil)
        for await connection in listener.connections() {
            Task { await answer(connection, store) }
        }
    }

    private static func answer(_ connection: Connection, _ store: VisitStore) async {
        guard let path = await connection.path() else { return connection.close() }
        do {
            let visits = try await store.visit(path)
            connection.send("200 OK", "\(visits)\n")
        } catch {
            connection.send("503 Service Unavailable", "\(error.localizedDescription)\n")
        }
    }
}
