// Imports, and saves of the studio.

import CoreData
import CoreDataStudio
import Foundation
import StoreTools

/// Brings a file of records into a store, as `coredata import` does.
final class ImportOperation: Operation {
    private let request: Request
    private let source: URL

    init(_ request: Request) {
        self.request = request
        source = request.folder.appendingPathComponent("import.json")
    }

    func prepare() async throws {
        try SaveOperation.fill(Place(request), generations: request.number("before"))
        let rows = (0..<300).map {
            ["batch": 1, "number": $0, "value": $0, "name": "row \($0)"] as [String: Any]
        }
        try JSONSerialization.data(withJSONObject: rows).write(to: source)
    }

    func step() async throws { try Self.run(Place(request).url, source) }

    /// Returns how many records were right.
    @discardableResult
    static func run(_ url: URL, _ source: URL) throws -> Int {
        let store = try OpenStore(path: url.path, access: .writing)
        defer { try? store.close() }
        let entity = try store.model.requiredEntity("Item")
        let isList = source.pathExtension == "json"
        let work = try StoreImport(into: store, entity: entity) {
            if isList { try JSONReader(source) } else { try CSVReader(source) }
        }
        let count = try work.check()
        if let failure = work.takeFailures().first { throw failure }
        return try work.insert(total: count)
    }
}

/// Adds two objects in the studio's pages and saves them.
final class StudioOperation: Operation {
    private let request: Request
    private var stack: Stack?
    private var visit: StudioVisit?
    private var next = 1
    private var isEdited = false

    init(_ request: Request) { self.request = request }

    func prepare() async throws {
        try SaveOperation.fill(Place(request), generations: request.number("before"))
    }

    func begin() async throws {
        let stack = try Stack(Place(request))
        self.stack = stack
        visit = try await StudioVisit(Studio(coordinator: stack.coordinator))
    }

    func step() async throws {
        guard let visit else { throw Request.Problem(text: "no studio is open") }
        if !isEdited {
            for number in 0..<2 {
                let values = ["batch": next, "number": number, "value": number]
                _ = try await visit.post("data/objects", ["entity": "Item", "values": values])
            }
            isEdited = true
        }
        let outcome = try await visit.post("data/save", [String: String]())["outcome"] as? String
        guard outcome == "saved" else {
            throw Request.Problem(text: "the studio says \(outcome ?? "nothing")")
        }
        isEdited = false
        next += 1
    }

    var isPending: Bool? { nil }

    func end() {
        visit = nil
        stack?.close()
    }
}

/// A browser that went in.
struct StudioVisit {
    private let studio: Studio
    private var headers = ["Host": "localhost:1"]

    init(_ studio: Studio) async throws {
        self.studio = studio
        let target = String(studio.makeLink(host: "localhost:1").dropFirst("http://localhost:1".count))
        let entered = await studio.respond(to: StudioRequest(method: "GET", target: target, headers: headers))
        headers["Cookie"] = entered.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init) ?? ""
        let session = await send("GET", "/api/session", Data())
        let fields = try JSONSerialization.jsonObject(with: session.body) as? [String: Any]
        headers["X-Studio-Proof"] = fields?["proof"] as? String ?? ""
    }

    func send(_ method: String, _ target: String, _ body: Data) async -> StudioResponse {
        await studio.respond(
            to: StudioRequest(method: method, target: target, headers: headers, body: body))
    }

    func post(_ path: String, _ body: [String: Any]) async throws -> [String: Any] {
        let data = try JSONSerialization.data(withJSONObject: body)
        let response = await send("POST", "/api/" + path, data)
        guard response.status == 200 else {
            throw Request.Problem(
                text:
                    "the studio answers \(response.status): \(String(decoding: response.body, as: UTF8.self))"
            )
        }
        return try JSONSerialization.jsonObject(with: response.body) as? [String: Any] ?? [:]
    }
}
