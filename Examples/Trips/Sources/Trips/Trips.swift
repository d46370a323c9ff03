// A service that keeps trips: `PORT` is where it listens, `TRIPS` where it keeps them (TripStore).

import Foundation
import SwiftData

@main
struct Trips {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let container = try TripStore.container(environment)
        let service = Service(
            planner: Planner(modelContainer: container), journal: Journal(modelContainer: container))
        let listener = try Listener(port: environment["PORT"].flatMap(UInt16.init) ?? 0)
        print("http://127.0.0.1:\(listener.port)/")
        fflush(nil)
        Task { try await service.journal.follow() }
        for await connection in listener.connections() {
            Task {
                guard let request = await connection.request() else { return connection.close() }
                connection.send(await service.answer(request))
            }
        }
    }
}
