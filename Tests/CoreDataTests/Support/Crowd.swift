// Objects with all sorts of values, for predicates to choose among.

import CoreData
import CoreDataTestSupport
import Testing

struct Crowd {
    static let size = 40
    let stack: TestStack

    init(seed: UInt64 = 7) throws {
        stack = try TestStack(model: ChampionModel.make())
        let context = stack.context
        var random = SeededGenerator(seed: seed)
        try context.run {
            let champions = (0..<Self.size).map { number in
                let champion = Champion(context: context)
                champion.nick = number % 7 == 6 ? "É\(number)" : "b\(number)"
                return champion
            }
            for champion in champions {
                champion.name = ["a", "b", "b1", "", nil].randomElement(using: &random) ?? nil
                if Bool.random(using: &random) { champion.age = Int64.random(in: 0..<5, using: &random) }
                if Bool.random(using: &random) { champion.level = Int32.random(in: 0..<4, using: &random) }
                if Bool.random(using: &random) { champion.rate = Double.random(in: 0..<5, using: &random) }
                if Bool.random(using: &random) { champion.isActive = Bool.random(using: &random) }
                champion.isHuman = Bool.random(using: &random)
                if Bool.random(using: &random) {
                    champion.seen = TimeInterval.random(in: 0..<1000, using: &random)
                }
                if Bool.random(using: &random) {
                    champion.born = Date(
                        timeIntervalSinceReferenceDate: .random(in: 0..<2000, using: &random))
                }
                champion.boss = Bool.random(using: &random) ? champions.randomElement(using: &random) : nil
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    let talent = Talent(context: context)
                    talent.title = ["a", "b", nil].randomElement(using: &random) ?? nil
                    if Bool.random(using: &random) { talent.force = Int32.random(in: 0..<4, using: &random) }
                    talent.owner = champion
                }
                champion.trophies = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                    let trophy = Trophy(context: context)
                    trophy.year = Int16.random(in: 0..<3, using: &random)
                    return trophy
                }
            }
            try context.save()
        }
    }

    func all(_ predicate: NSPredicate? = nil) throws -> [Champion] {
        let request = NSFetchRequest<Champion>(entityName: "Champion")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Champion.nick, ascending: true)]
        return try stack.context.fetch(request)
    }

    func champion(_ nick: String) throws -> Champion {
        try stack.context.run { try #require(try all(NSPredicate(format: "nick == %@", nick)).first) }
    }

    /// The nicks of those that a store finds.
    func fetch(_ predicate: NSPredicate) throws -> [String] {
        try stack.context.run { try all(predicate).map(\.nick) }
    }

    /// Expects a store to find the objects for which a predicate holds in memory, as Foundation evaluates it.
    func expectSame(
        _ predicate: Predicate<Champion>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let wanted = try stack.context.run {
            try all().filter { (try? predicate.evaluate($0)) ?? false }.map(\.nick)
        }
        #expect(
            try fetch(NSPredicate(predicate)) == wanted, "\(NSPredicate(predicate).formatString)",
            sourceLocation: sourceLocation)
    }
}
