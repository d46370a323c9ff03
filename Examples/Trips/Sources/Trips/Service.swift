// Requests and their answers.

import Foundation

/// | Request | Answer |
/// | --- | --- |
/// | `GET /trips`, `GET /trips?name=…` | the trips |
/// | `POST /trips` | a new one |
/// | `GET /trips/ID`, `DELETE /trips/ID` | one trip |
/// | `POST /trips/ID/stops` | the trip with a new stop |
/// | `GET /journal` | what happened |
struct Service: Sendable {
    let planner: Planner
    let journal: Journal

    func answer(_ request: Request) async -> Answer {
        do {
            return try await route(request)
        } catch let error as DecodingError {
            return Answer(status: "400 Bad Request", text: "\(error)")
        } catch {
            return Answer(status: "503 Service Unavailable", text: error.localizedDescription)
        }
    }

    private func route(_ request: Request) async throws -> Answer {
        let parts = request.path.split(separator: "/").map(String.init)
        let id = parts.count > 1 ? UUID(uuidString: parts[1]) : nil
        switch (request.method, parts.first, parts.count) {
        case ("GET", "trips", 1): return try .json(await planner.trips(named: request.query["name"]))
        case ("POST", "trips", 1):
            return try .json(
                await planner.add(Self.decoder().decode(NewTrip.self, from: request.body)), "201 Created")
        case ("GET", "trips", 2):
            guard let id, let trip = try await planner.trip(id) else { return .notFound }
            return try .json(trip)
        case ("DELETE", "trips", 2):
            guard let id, try await planner.delete(id) else { return .notFound }
            return Answer(status: "204 No Content", text: "")
        case ("POST", "trips", 3) where parts[2] == "stops":
            let stop = try Self.decoder().decode(NewStop.self, from: request.body)
            guard let id, let trip = try await planner.add(stop, to: id) else { return .notFound }
            return try .json(trip)
        case ("GET", "journal", 1): return try .json(await journal.lines())
        default: return .notFound
        }
    }

    static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

struct Answer: Sendable {
    var status = "200 OK"
    var text: String

    static let notFound = Answer(status: "404 Not Found", text: "There is nothing here.\n")

    static func json(_ value: some Encodable, _ status: String = "200 OK") throws -> Answer {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys]
        return Answer(status: status, text: String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }
}
