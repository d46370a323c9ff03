// The arguments of the program.

import Foundation

/// The program's arguments.
struct Arguments: Equatable {
    var count = 50_000
    var way = PeopleImport.Way.objects
    var batchSize = 10_000
    var file: String?

    struct Problem: Error, Equatable {
        let text: String
    }

    init(_ words: some Sequence<String>) throws {
        var words = words.makeIterator()
        func number(_ name: String, _ text: String?, from least: Int) throws -> Int {
            guard let number = text.flatMap({ Int($0) }), number >= least else {
                throw Problem(text: "\(name) takes a number from \(least) on")
            }
            return number
        }
        while let word = words.next() {
            switch word {
            case "--count": count = try number(word, words.next(), from: 0)
            case "--batch": batchSize = try number(word, words.next(), from: 1)
            case "--rows": way = .rows
            case _ where word.hasPrefix("-com.apple.CoreData."): _ = words.next()  // the library's own
            case _ where word.hasPrefix("-"): throw Problem(text: "there is no option \(word)")
            default: file = word
            }
        }
    }
}

/// The most memory that the process has had, in megabytes; nil where the system doesn't tell it so.
func peakMemory() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    return kilobytes / 1024
}
