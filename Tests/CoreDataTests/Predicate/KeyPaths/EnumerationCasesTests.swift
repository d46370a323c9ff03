// Properties that are enumerations over an attribute's raw value: in key paths, sort descriptors and predicates.

import CoreData
import CoreDataTestSupport
import Testing

private enum Kind: Int16, Codable {
    case human = 0
    case elf = 3
}

/// In another order than its raw values.
private enum Rank: String, CaseIterable, Codable, Comparable {
    case page, knight, baron

    static func < (left: Rank, right: Rank) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

private enum Mood: Int, Codable, Comparable {
    case calm = 700
    case wild = 900

    static func < (left: Mood, right: Mood) -> Bool { left.rawValue < right.rawValue }
}

private enum Colour: String, Codable { case red, blue }

private final class Guest: NSManagedObject {
    var name: String {
        get { self[ManagedAttribute("name")] }
        set { self[ManagedAttribute("name")] = newValue }
    }
    var kindRaw: Int16 {
        get { self[ManagedAttribute("kindRaw")] }
        set { self[ManagedAttribute("kindRaw")] = newValue }
    }
    var rankRaw: String? {
        get { self[ManagedAttribute("rankRaw")] }
        set { self[ManagedAttribute("rankRaw")] = newValue }
    }
    var colourRaw: String? { self[ManagedAttribute("colourRaw")] }
    var host: Guest? {
        get { self[ManagedRelationship("host")] }
        set { self[ManagedRelationship("host")] = newValue }
    }

    // As people write them: what is no case's value stops the process.
    var kind: Kind {
        get { Kind(rawValue: kindRaw)! }  // its attribute holds cases only
        set { kindRaw = newValue.rawValue }
    }
    var rank: Rank? { rankRaw.flatMap(Rank.init) }
    var certainRank: Rank { Rank(rawValue: rankRaw!)! }  // as `kind`
    var mood: Mood {
        get { self[ManagedAttribute("moodRaw")] }
        set { self[ManagedAttribute("moodRaw")] = newValue }
    }
    var colour: Colour { Colour(rawValue: colourRaw!)! }  // as `kind`
    var title: String { "\(rank.map(\.rawValue) ?? "") \(name)" }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        // As companions state them.
        keys.getter("kind", \Guest.kind)
        keys.getter("mood", \Guest.mood)
        keys.getter("title", \Guest.title)
    }
}

@Suite struct EnumerationCasesTests {
    private let stack: TestStack

    init() throws {
        Guest.registerClass()
        stack = try TestStack(model: Self.model())
        try stack.context.run { () throws in
            var last: Guest?
            for number in 0..<12 {
                let guest = Guest(context: stack.context)
                guest.name = "g\(number + 10)"
                if number % 3 > 0 { guest.kind = number % 3 == 1 ? .human : .elf }
                guest.rankRaw = [nil, "page", "knight", "baron"][number % 4]
                guest.mood = number % 2 == 0 ? .calm : .wild
                guest.host = number % 5 == 0 ? nil : last
                last = guest
            }
            try stack.context.save()
        }
    }

    private static func model() -> NSManagedObjectModel {
        let guest = NSEntityDescription()
        (guest.name, guest.managedObjectClassName) = ("Guest", ".Guest")
        let types: [(String, NSAttributeType)] = [
            ("name", .stringAttributeType), ("kindRaw", .integer16AttributeType),
            ("rankRaw", .stringAttributeType), ("moodRaw", .integer32AttributeType),
            ("colourRaw", .stringAttributeType),
        ]
        guest.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        guest.attributesByName["moodRaw"]?.defaultValue = 700
        let (host, guests) = (NSRelationshipDescription(), NSRelationshipDescription())
        (host.name, guests.name, host.maxCount) = ("host", "guests", 1)
        (host.destinationEntity, guests.destinationEntity) = (guest, guest)
        (host.inverseRelationship, guests.inverseRelationship) = (guests, host)
        guest.properties += [host, guests]
        let model = NSManagedObjectModel()
        model.entities = [guest]
        return model
    }

    private func guests(
        _ predicate: NSPredicate? = nil, _ order: NSSortDescriptor? = nil
    ) throws -> [Guest] {
        let request = NSFetchRequest<Guest>(entityName: "Guest")
        request.predicate = predicate
        request.sortDescriptors = [order, NSSortDescriptor(key: "name", ascending: true)].compactMap(\.self)
        return try stack.context.fetch(request)
    }

    private func expectSame(
        _ predicate: Predicate<Guest>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try stack.context.run { () throws in
            let wanted = try guests().filter { (try? predicate.evaluate($0)) ?? false }.map(\.name)
            #expect(
                try guests(NSPredicate(predicate)).map(\.name) == wanted && !wanted.isEmpty,
                "\(NSPredicate(predicate).formatString)", sourceLocation: sourceLocation)
        }
    }

    @Test func enumerationsHaveTheNameOfTheirAttribute() {
        expect(Guest.key(for: \Guest.kind), equals: "kindRaw")
        expect(Guest.key(for: \Guest.rank), equals: "rankRaw")
        expect(Guest.key(for: \Guest.certainRank), equals: "rankRaw")
        expect(Guest.key(for: \Guest.mood), equals: "moodRaw")
        expect(Guest.key(for: \Guest.host?.kind), equals: "host.kindRaw")
        expect(Guest.key(for: \Guest.host?.rank), equals: "host.rankRaw")
        expect(Guest.key(for: \Guest.title), equals: "title")
    }

    @Test func whatNoCaseIsKnownOfIsNotRead() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack(model: EnumerationCasesTests.model())
            _ = NSSortDescriptor(keyPath: \Guest.colour, ascending: true)
            withExtendedLifetime(stack) {}
        }
        let red = Colour.red
        let predicate = NSPredicate(#Predicate<Guest> { $0.colour == red })
        let error = #expect(throws: (any Error).self) {
            try stack.context.run { _ = try guests(predicate) }
        }
        expect(error.map { "\($0.localizedDescription)" }?.contains("let it be CaseIterable"), equals: true)
    }

    @Test func predicatesCompareCases() throws {
        // The macro takes no cases but captured ones.
        let (human, elf, knight, calm) = (Kind.human, Kind.elf, Rank.knight, Mood.calm)
        let ranks = [Rank.page, .baron]
        try expectSame(#Predicate { $0.kind == elf })
        try expectSame(#Predicate { $0.kind == human })
        try expectSame(#Predicate { $0.kind != human })
        try expectSame(#Predicate { $0.rank == knight })
        try expectSame(#Predicate { $0.rank == nil })
        try expectSame(#Predicate { $0.rank != knight })
        try expectSame(#Predicate { $0.host?.kind == elf })
        try expectSame(#Predicate { $0.mood > calm && $0.kind == human })
        try expectSame(#Predicate { $0.rank != nil && ranks.contains($0.rank!) })
        try expectSame(#Predicate { $0.rank.flatMap { ranks.contains($0) } == true })
        expect(NSPredicate(#Predicate<Guest> { $0.kind == elf }).formatString, equals: "kindRaw == 3")
    }

    @Test func anOrderThatAStoreDoesNotHaveIsNamed() throws {
        let rank = Rank.page
        let predicate = NSPredicate(#Predicate<Guest> { $0.rank != nil && $0.rank! > rank })
        let error = #expect(throws: (any Error).self) {
            try stack.context.run { _ = try guests(predicate) }
        }
        expect(error.map { $0.localizedDescription }?.contains("the order of Rank"), equals: true)
    }

    @Test func sortDescriptorsKeepTheOrderOfCases() throws {
        try stack.context.run { () throws in
            let byMood = NSSortDescriptor(SortDescriptor(\Guest.mood, order: .reverse))
            expect(byMood.key, equals: "moodRaw")
            try expect(
                guests(nil, byMood).map(\.mood.rawValue),
                equals: [900, 700].flatMap { [Int](repeating: $0, count: 6) })
            let byRank = NSSortDescriptor(SortDescriptor(\Guest.rank))
            try expect(
                guests(nil, byRank).map { $0.rank },
                equals: [nil, .page, .knight, .baron].flatMap { [Rank?](repeating: $0, count: 3) })
            let byRaw = NSSortDescriptor(keyPath: \Guest.rank, ascending: true)
            expect(byRaw.key, equals: "rankRaw")
            try expect(guests(nil, byRaw).last?.rank, equals: .page)
        }
    }
}
