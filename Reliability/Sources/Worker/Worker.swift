// Does what the orchestrator asks for, one request a line, and answers each with a line of JSON. A process that can be
// killed, whose file calls can be made to fail, and that judges stores.

import CoreData
import Foundation

@main
enum Worker {
    static func main() async {
        Line.write(["ready": Interposer.isThere])
        let (holding, damage) = (Holding(), Damage())
        while let line = readLine(strippingNewline: true) {
            let request: Request
            do {
                request = try Request(line)
            } catch {
                Line.write(["failure": "\(error)"])
                continue
            }
            do {
                Line.write(try await answer(request, holding, damage))
            } catch {
                Line.write(["error": Line.fields(of: error)])
            }
        }
    }

    private static func answer(_ request: Request, _ holding: Holding, _ damage: Damage) async throws
        -> [String: Any]
    {
        switch request.kind {
        case "prepare": return try await Trials.prepare(request)
        case "run": return try await Trials.run(request)
        case "fault": return try await Trials.fault(request)
        case "hold": return try await holding.open(request)
        case "save": return try await holding.save(request)
        case "call": return try await holding.call(request)
        case "release": return holding.close()
        case "counter": return try Counting.prepare(request)
        case "count": return try Counting.count(request)
        case "watch": return try Counting.watch(request)
        case "originals": return try await Originals.make(request)
        case "damaged": return try await damage.read(request)
        // A process that fails, for --self-test.
        case "trap": fatalError("asked to")  // the harness must tell it
        case "hang":
            try await Task.sleep(for: .seconds(3600))
            return [:]
        case "judge": return try Judge(request).verdict()
        default: throw Request.Problem(text: "nobody knows \(request.kind)")
        }
    }
}

/// One line from the orchestrator.
struct Request {
    struct Problem: Error {
        let text: String
    }

    let fields: [String: Any]

    init(_ line: String) throws {
        guard let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw Problem(text: "not a dictionary: \(line)")
        }
        self.fields = fields
    }

    var kind: String { text("do") }
    var folder: URL { URL(fileURLWithPath: text("folder"), isDirectory: true) }

    func text(_ key: String, default standard: String = "") -> String { fields[key] as? String ?? standard }
    func number(_ key: String, default standard: Int = 0) -> Int {
        (fields[key] as? NSNumber)?.intValue ?? standard
    }
}

/// Lines of JSON on the standard output, each written by one call: the orchestrator has it once it read it.
enum Line {
    static func write(_ fields: [String: Any]) {
        guard var data = try? JSONSerialization.data(withJSONObject: fields) else {
            return write(["failure": "an answer is no JSON"])
        }
        data.append(10)
        FileHandle.standardOutput.write(data)
    }

    static func fields(of error: any Error) -> [String: Any] {
        let text = "\(error)"
        let error = error as NSError
        var fields: [String: Any] = ["domain": error.domain, "code": error.code, "text": text]
        if let code = error.userInfo[NSSQLiteErrorDomain] as? NSNumber { fields["sqlite"] = code.intValue }
        return fields
    }
}
