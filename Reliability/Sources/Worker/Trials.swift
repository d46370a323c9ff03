// The operations on stores while files fail or the process is killed.

import CoreData
import Foundation

/// Something that is done to the stores of a folder, one step after the other.
protocol Operation: AnyObject {
    /// Makes what is there before, without faults.
    func prepare() async throws
    /// Opens what the steps need.
    func begin() async throws
    /// One step; after one that threw the same is tried again.
    func step() async throws
    /// Indicates whether the changes of a step that threw still stand in the context;
    /// `nil` if a step has none.
    var isPending: Bool? { get }
    func end()
}

extension Operation {
    func prepare() async throws {}
    func begin() async throws {}
    var isPending: Bool? { nil }
    func end() {}
}

enum Trials {
    private static func operation(_ request: Request) throws -> any Operation {
        switch request.text("operation") {
        case "save": SaveOperation(request)
        case "create": CreateOperation(request)
        case "open": OpenOperation(request)
        case "migrate": MigrateOperation(request)
        case "map": MapOperation(request)
        case "batch": BatchOperation(request)
        case "replace": ReplaceOperation(request)
        case "move": MoveOperation(request)
        case "destroy": DestroyOperation(request)
        case "import": ImportOperation(request)
        case "studio": StudioOperation(request)
        default: throw Request.Problem(text: "no operation \(request.text("operation"))")
        }
    }

    static func prepare(_ request: Request) async throws -> [String: Any] {
        try await operation(request).prepare()
        return ["done": true]
    }

    /// Steps that acknowledge themselves, from opening on under a plan that kills.
    static func run(_ request: Request) async throws -> [String: Any] {
        let operation = try operation(request)
        // Breaks the harness on purpose: `--self-test` sees that this is told as a loss.
        let liesAboutSaves = request.number("lie") != 0
        try Interposer.arm(request.text("plan"))
        defer { Interposer.disarm() }
        try await operation.begin()
        for number in 1...max(1, request.number("steps", default: 1)) {
            if liesAboutSaves { Line.write(["ack": number]) }
            try await operation.step()
            if !liesAboutSaves { Line.write(["ack": number]) }
        }
        operation.end()
        return ["done": true, "counts": Interposer.counts]
    }

    /// A step under a plan that fails calls, and the same step again without.
    static func fault(_ request: Request) async throws -> [String: Any] {
        let operation = try operation(request)
        try await operation.begin()
        defer { operation.end() }
        var answer: [String: Any] = [:]
        try Interposer.arm(request.text("plan"))
        do {
            try await operation.step()
            answer["delivered"] = Interposer.disarm()
            answer["counts"] = Interposer.counts
            return answer
        } catch {
            answer["delivered"] = Interposer.disarm()
            answer["error"] = Line.fields(of: error)
        }
        if let isPending = operation.isPending { answer["pending"] = isPending }
        do {
            try await operation.step()
        } catch {
            answer["retry"] = Line.fields(of: error)
        }
        return answer
    }
}
