// SQLAlchemy, a mapper that people use on servers: the same works, by the script beside the package.

import Foundation

/// The script, with the address of the server.
struct Mapper {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("sqlalchemy_works.py")
    private let address: String

    /// `nil`, with a word, where SQLAlchemy or its driver isn't installed.
    static func installed(_ address: String) -> Mapper? {
        let mapper = Mapper(address: address)
        if (try? mapper.run(["version"])) != nil { return mapper }
        print("SQLAlchemy isn't measured: python3-sqlalchemy and python3-psycopg2 aren't installed.")
        return nil
    }

    /// The medians of some rounds.
    func measure(_ work: String, rounds: Int) throws -> Costs {
        let numbers = try run([work, String(rounds)]).split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 2 else { throw RawPostgreSQL.Failure(message: "the mapper told no times") }
        return Costs(processor: numbers[0], wall: numbers[1])
    }

    private func run(_ arguments: [String]) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Self.script.path, address] + arguments
        process.standardOutput = pipe
        process.standardError = arguments == ["version"] ? FileHandle.nullDevice : FileHandle.standardError
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            throw RawPostgreSQL.Failure(message: "the mapper's script failed")
        }
        return output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
