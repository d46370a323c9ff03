// Predicates, orders and descriptors over workouts.

import Foundation
import SwiftData
import Testing

@Suite @MainActor
struct QueryTests {
    let container: ModelContainer
    var context: ModelContext { container.mainContext }
    let start = Date(timeIntervalSinceReferenceDate: 1_000_000)

    init() throws {
        container = try ModelContainer.inMemory()
        let (ann, bob) = (Athlete(name: "Ann"), Athlete(name: "Bóbby"))
        ann.birthYear = 1990
        bob.isActive = false
        bob.bestTimes = [1, 2]
        context.insert(ann)
        context.insert(bob)
        bob.coach = ann
        let (red, blue) = (Tag(name: "red"), Tag(name: "blue"))
        for n in 0..<10 {
            let workout = Workout(title: "Workout \(n)", day: start.addingTimeInterval(Double(n) * 86_400))
            context.insert(workout)
            workout.athlete = n % 3 == 0 ? ann : n % 3 == 1 ? bob : nil
            workout.status = Workout.Status.allCases[n % 3]
            workout.optionalStatus = n > 5 ? .done : nil
            workout.price = n % 2 == 0 ? Money(amount: Decimal(n), currency: "EUR") : nil
            workout.metrics.pace = n > 7 ? Double(n) : nil
            workout.tags = n % 2 == 0 ? [red] : [red, blue]
            workout.comments = (0..<(n % 4)).map { i in
                let comment = Comment("text \(i)", position: i)
                comment.author = i == 0 ? ann : nil
                return comment
            }
        }
        try context.save()
    }

    func titles(_ predicate: Predicate<Workout>) throws -> [Int] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)]))
            .compactMap { Int($0.title.suffix(1)) }
    }

    /// The same in memory.
    func check(
        _ predicate: Predicate<Workout>, _ expected: [Int], _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try titles(predicate) == expected, sourceLocation: location)
    }

    @Test func strings() throws {
        try check(#Predicate { $0.title.contains("t 3") }, [3])
        try check(#Predicate { $0.title.starts(with: "Work") }, Array(0..<10))
        try check(#Predicate { $0.title.localizedStandardContains("WORKOUT 4") }, [4])
        try check(#Predicate { $0.title.isEmpty }, [])
        try check(#Predicate { $0.title.count == 9 }, Array(0..<10))
        try check(#Predicate { $0.title > "Workout 7" }, [8, 9])
        try check(#Predicate { $0.title != "Workout 7" && $0.title >= "Workout 6" }, [6, 8, 9])
        try check(#Predicate { $0.athlete?.name.localizedStandardContains("bob") == true }, [1, 4, 7])
        try check(#Predicate { $0.title.contains(/t [34]/) }, [3, 4])
        let names = ["Workout 1", "Workout 9"]
        try check(#Predicate { names.contains($0.title) }, [1, 9])
        let set: Set<String> = ["Workout 2"]
        try check(#Predicate { set.contains($0.title) }, [2])
    }

    @Test func dates() throws {
        let from = start.addingTimeInterval(86_400 * 2)
        let to = start.addingTimeInterval(86_400 * 4)
        try check(#Predicate { $0.day >= from && $0.day < to }, [2, 3])
        let range = from..<to
        try check(#Predicate { range.contains($0.day) }, [2, 3])
        let closed = from...to
        try check(#Predicate { closed.contains($0.day) }, [2, 3, 4])
        try check(#Predicate { (from...to).contains($0.day) }, [2, 3, 4])
        let now = Date.now
        try check(#Predicate { $0.day > now }, [])
        let optional: Date? = from
        if let optional {
            try check(#Predicate { $0.day <= optional }, [0, 1, 2])
        }
    }

    @Test func relationships() throws {
        try check(#Predicate { $0.athlete == nil }, [2, 5, 8])
        try check(#Predicate { $0.athlete != nil && $0.athlete?.isActive == true }, [0, 3, 6, 9])
        try check(#Predicate { $0.athlete?.isActive ?? false }, [0, 3, 6, 9])
        try check(#Predicate { $0.athlete?.birthYear ?? 0 > 1980 }, [0, 3, 6, 9])
        try check(#Predicate { $0.athlete.flatMap { $0.birthYear } == 1990 }, [0, 3, 6, 9])
        try check(#Predicate { $0.athlete?.coach?.name == "Ann" }, [1, 4, 7])
        try check(#Predicate { $0.athlete.flatMap { $0.coach.flatMap { $0.name } } == "Ann" }, [1, 4, 7])
        try check(
            #Predicate { workout in if let athlete = workout.athlete { athlete.name == "Ann" } else { false }
            }, [0, 3, 6, 9])
        try check(#Predicate { workout in workout.athlete == nil ? workout.title.contains("5") : false }, [5])
        try check(#Predicate { $0.tags.contains { $0.name == "blue" } }, [1, 3, 5, 7, 9])
        try check(#Predicate { $0.tags.contains(where: { $0.name == "blue" }) }, [1, 3, 5, 7, 9])
        try check(#Predicate { $0.tags.allSatisfy { $0.name == "red" } }, [0, 2, 4, 6, 8])
        try check(#Predicate { $0.tags.count == 2 }, [1, 3, 5, 7, 9])
        try check(#Predicate { $0.tags.isEmpty }, [])
        try check(
            #Predicate { !$0.tags.isEmpty && $0.tags.filter { $0.name == "blue" }.count == 1 },
            [1, 3, 5, 7, 9])
        try check(#Predicate { $0.tags.filter { $0.name == "blue" }.isEmpty }, [0, 2, 4, 6, 8])
        try check(#Predicate { $0.comments?.isEmpty == true }, [0, 4, 8])
        try check(#Predicate { $0.comments?.isEmpty ?? true }, [0, 4, 8])
        try check(#Predicate { $0.comments?.count == 3 }, [3, 7])
        try check(#Predicate { ($0.comments?.count ?? 0) > 1 }, [2, 3, 6, 7])
        try check(#Predicate { $0.comments?.contains { $0.position == 2 } ?? false }, [3, 7])
        try check(#Predicate { $0.comments?.contains { $0.position == 2 } == true }, [3, 7])
        try check(
            #Predicate { $0.comments.flatMap { $0.contains { $0.text == "text 1" } } == true }, [2, 3, 6, 7])
        try check(
            #Predicate { $0.comments?.allSatisfy { $0.position < 2 } == true }, [0, 1, 2, 4, 5, 6, 8, 9])
        try check(#Predicate { $0.comments!.contains { $0.author?.name == "Ann" } }, [1, 2, 3, 5, 6, 7, 9])
        let blue = try Tag.named("blue", in: context)
        let id = blue.persistentModelID
        try check(#Predicate { $0.tags.contains { $0.persistentModelID == id } }, [1, 3, 5, 7, 9])
        let ann = try #require(
            try context.fetch(FetchDescriptor<Athlete>(predicate: #Predicate { $0.name == "Ann" })).first)
        let annID = ann.persistentModelID
        let uuid = ann.id
        try check(#Predicate { $0.athlete?.persistentModelID == annID }, [0, 3, 6, 9])
        try check(#Predicate { $0.athlete?.id == uuid }, [0, 3, 6, 9])
        let ids = [annID]
        try check(
            #Predicate { workout in workout.athlete.flatMap { ids.contains($0.persistentModelID) } == true },
            [0, 3, 6, 9])
        let someID: PersistentIdentifier? = annID
        try check(#Predicate { $0.athlete?.persistentModelID == someID }, [0, 3, 6, 9])
    }

    @Test func enumerationsAndStructures() throws {
        let done = Workout.Status.done
        try check(#Predicate { $0.status == done }, [2, 5, 8])
        let raw = Workout.Status.done.rawValue
        try check(#Predicate { $0.status.rawValue == raw }, [2, 5, 8])
        try check(#Predicate { $0.optionalStatus == nil }, [0, 1, 2, 3, 4, 5])
        try check(#Predicate { $0.optionalStatus == done }, [6, 7, 8, 9])
        try check(#Predicate { $0.optionalStatus?.rawValue == raw }, [6, 7, 8, 9])
        let wanted: [Workout.Status] = [.planned, .done]
        try check(#Predicate { wanted.contains($0.status) }, [0, 2, 3, 5, 6, 8, 9])
        try check(#Predicate { $0.metrics.pace != nil }, [8, 9])
        try check(#Predicate { ($0.metrics.pace ?? 0) > 8 }, [9])
        try check(#Predicate { $0.price?.currency == "EUR" }, [0, 2, 4, 6, 8])
        let five = Decimal(5)
        try check(#Predicate { ($0.price?.amount ?? 0) > five }, [6, 8])
        try check(#Predicate { $0.price == nil }, [1, 3, 5, 7, 9])
    }

    @Test func arithmetic() throws {
        try check(#Predicate { $0.tags.count * 2 == 4 }, [1, 3, 5, 7, 9])
        try check(#Predicate { $0.tags.count + ($0.comments?.count ?? 0) > 4 }, [3, 7])
        try check(#Predicate { $0.tags.count % 2 == 0 }, [1, 3, 5, 7, 9])
        try check(#Predicate { -$0.tags.count < -1 }, [1, 3, 5, 7, 9])
        try check(#Predicate { ($0.metrics.pace ?? 1) / 2 > 4 }, [9])
        try check(
            #Predicate { $0.tags.count > 1 ? $0.title == "Workout 1" : $0.title == "Workout 2" }, [1, 2])
        try check(#Predicate { _ in true }, Array(0..<10))
        try check(#Predicate { _ in false }, [])
        let flag = true
        try check(#Predicate { flag || $0.title == "" }, Array(0..<10))
        try check(#Predicate { !($0.title == "Workout 1") && !flag }, [])
    }

    @Test func sorting() throws {
        func sorted(_ sort: SortDescriptor<Workout>...) throws -> [Int] {
            try context.fetch(FetchDescriptor<Workout>(sortBy: sort)).compactMap { Int($0.title.suffix(1)) }
        }
        #expect(try sorted(SortDescriptor(\.day, order: .reverse)) == Array((0..<10).reversed()))
        #expect(try sorted(SortDescriptor(\.title, comparator: .lexical)).first == 0)
        #expect(try sorted(.init(\.status.rawValue), .init(\.title)).prefix(3) == [1, 4, 7])
        #expect(try sorted(.init(\.athlete?.name), .init(\.title)) == [2, 5, 8, 0, 3, 6, 9, 1, 4, 7])
        #expect(
            try sorted(.init(\.athlete?.birthYear, order: .reverse), .init(\.day)).prefix(4) == [0, 3, 6, 9])
        #expect(try sorted(.init(\.metrics.pace, order: .reverse), .init(\.title)).prefix(2) == [9, 8])
        #expect(try sorted(.init(\.optionalStatus?.rawValue), .init(\.title)).first == 0)
        let byMemory = try context.fetch(FetchDescriptor<Workout>()).sorted(using: [
            KeyPathComparator(\Workout.title, order: .reverse)
        ])
        #expect(byMemory.first?.title == "Workout 9")
        let bySort = try context.fetch(FetchDescriptor<Workout>()).sorted(
            using: SortDescriptor(\Workout.title, order: .reverse))
        #expect(bySort.first?.title == "Workout 9")
        let grouped = Dictionary(grouping: try context.fetch(FetchDescriptor<Workout>()), by: \.status)
        #expect(grouped[.done]?.count == 3)
    }

    @Test func descriptors() throws {
        var descriptor = FetchDescriptor<Workout>(
            predicate: #Predicate { $0.title != "Workout 0" }, sortBy: [.init(\.day, order: .forward)])
        descriptor.fetchLimit = 3
        descriptor.fetchOffset = 2
        descriptor.propertiesToFetch = [\.title, \.day]
        descriptor.relationshipKeyPathsForPrefetching = [\.comments, \.athlete]
        descriptor.includePendingChanges = true
        #expect(try context.fetch(descriptor).map(\.title) == ["Workout 3", "Workout 4", "Workout 5"])
        #expect(try context.fetchCount(FetchDescriptor<Workout>(predicate: descriptor.predicate)) == 9)
        let batched = try context.fetch(FetchDescriptor<Workout>(sortBy: [.init(\.title)]), batchSize: 4)
        #expect(batched.count == 10)
        #expect(batched.map(\.title).last == "Workout 9")
        #expect(batched[3].title == "Workout 3")
        let ids = try context.fetchIdentifiers(
            FetchDescriptor<Workout>(sortBy: [.init(\.title)]), batchSize: 3)
        #expect(ids.count == 10)
        #expect(ids.compactMap { (context.model(for: $0) as? Workout)?.title }.first == "Workout 0")
        var seen: [String] = []
        try context.enumerate(FetchDescriptor<Workout>(sortBy: [.init(\.title)]), batchSize: 3) {
            seen.append($0.title)
        }
        #expect(seen.count == 10)
        try context.enumerate(FetchDescriptor<Workout>(), batchSize: 3, allowEscapingMutations: true) {
            $0.status = .done
        }
        #expect(context.hasChanges)
        try context.save()
        let done = Workout.Status.done
        #expect(
            try context.fetchCount(FetchDescriptor<Workout>(predicate: #Predicate { $0.status == done }))
                == 10)
        try context.delete(model: Workout.self, where: #Predicate { $0.title.contains("1") })
        try context.delete(model: Tag.self, where: #Predicate { $0.name == "blue" }, includeSubclasses: true)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Workout>()) == 9)
        #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 1)
    }

    @Test func dynamicPredicates() throws {
        func search(text: String, status: Workout.Status?, since: Date?) -> Predicate<Workout> {
            let raw = status?.rawValue
            let date = since ?? .distantPast
            return #Predicate { workout in
                (text.isEmpty || workout.title.localizedStandardContains(text))
                    && (raw == nil || workout.status.rawValue == raw!)
                    && workout.day >= date
            }
        }
        try check(search(text: "", status: nil, since: nil), Array(0..<10))
        try check(search(text: "4", status: nil, since: nil), [4])
        let late = start.addingTimeInterval(86_400 * 7)
        try check(search(text: "", status: nil, since: late), [7, 8, 9])
        try check(search(text: "", status: .done, since: nil), [2, 5, 8])
        let athlete: Athlete? = nil
        let id = athlete?.persistentModelID
        try check(#Predicate { $0.athlete?.persistentModelID == id }, [2, 5, 8])
        try check(#Predicate { id == nil || $0.athlete?.persistentModelID == id }, Array(0..<10))
    }
}
