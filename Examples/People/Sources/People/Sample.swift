// People to import: invented, and the same every time. A program of yours would read a file or a server's answer.

import CoreData

/// The data of the person with a number.
struct Sample {
    let number: Int

    private static let firstNames = [
        "Ada", "Alan", "Barbara", "Claude", "Donald", "Edsger", "Frances", "Grace", "Hedy", "John",
        "Katherine",
        "Linus", "Margaret", "Niklaus", "Radia", "Tim",
    ]
    private static let lastNames = [
        "Allen", "Berners", "Dijkstra", "Hamilton", "Hopper", "Johnson", "Kernighan", "Knuth", "Lamarr",
        "Liskov",
        "Lovelace", "McCarthy", "Perlman", "Ritchie", "Shannon", "Turing", "Wirth",
    ]
    static let colors = [Color.black, .silver, .red, .gold]

    private var first: String { Self.firstNames[number % Self.firstNames.count] }
    private var last: String { Self.lastNames[number % Self.lastNames.count] }

    var name: String { "\(first) \(last)" }
    var email: String { "\(first).\(last).\(number)@example.com".lowercased() }
    /// Some day from 1941 to 2001.
    var birthDate: Date { Date(timeIntervalSinceReferenceDate: -86_400 * Double(number * 7919 % 21_915)) }

    /// Every tenth person has a laptop.
    var laptop: (name: String, color: Color)? {
        guard number % 10 == 0 else { return nil }
        return ("\(first)'s laptop", Self.colors[number / 10 % Self.colors.count])
    }
}
