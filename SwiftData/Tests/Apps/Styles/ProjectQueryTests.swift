// Predicates and orders, each asked of unsaved models, of the predicate itself, and of the store.

import Foundation
import SwiftData
import Testing

@Suite struct ProjectQueryTests {
    let context: ModelContext
    init() throws {
        context = ModelContext(
            try ModelContainer(
                for: Project.self, Job.self, Step.self, Person.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let people = (0..<4).map { Person("P\($0)", age: $0 == 3 ? nil : 20 + $0) }
        people.forEach { context.insert($0) }
        for n in 0..<6 {
            let project = Project(
                "Project \(n)", key: n < 3 ? "k\(n)" : nil,
                start: Date(timeIntervalSinceReferenceDate: Double(n)))
            context.insert(project)
            project.nick = n % 2 == 0 ? "nick\(n)" : n == 1 ? "" : nil
            project.end = n > 3 ? Date(timeIntervalSinceReferenceDate: Double(n) * 10) : nil
            project.budget = Double(n) * 10
            project.spent = 25
            project.votes = n - 2
            project.isArchived = n == 5
            project.tint = Tint(r: n, g: n * 2, b: 0)
            project.lead = n == 0 ? nil : people[n % 4]
            for j in 0..<n {
                let job = Job("Job \(n).\(j)", done: j % 2 == 0, hours: j == 1 ? nil : Double(j))
                project.jobs.append(job)
                job.steps = (0..<j).map { Step($0) }
                job.people = j == 0 ? [people[0]] : [people[1], people[2]]
            }
        }
    }
    func check(_ predicate: Predicate<Project>, _ expected: [Int], _ at: SourceLocation = #_sourceLocation)
        throws
    {
        func run() throws -> [Int] {
            try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map {
                Int(String($0.name.last!))!
            }
        }
        #expect(try run() == expected, "unsaved", sourceLocation: at)
        let memory = try context.fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.name)])).filter {
            try predicate.evaluate($0)
        }.map { Int(String($0.name.last!))! }
        #expect(memory == expected, "memory", sourceLocation: at)
        try context.save()
        #expect(try run() == expected, "saved", sourceLocation: at)
        #expect(
            try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count,
            sourceLocation: at)
    }

    @Test func booleans() throws {
        try check(#Predicate { $0.isArchived }, [5])
        try check(#Predicate { !$0.isArchived }, [0, 1, 2, 3, 4])
        try check(#Predicate { $0.isArchived == false }, [0, 1, 2, 3, 4])
        try check(#Predicate { $0.isArchived != true && $0.votes > 0 }, [3, 4])
        try check(.true, Array(0..<6))
        try check(.false, [])
    }
    @Test func optionals() throws {
        try check(#Predicate { $0.nick?.contains("ck2") ?? false }, [2])
        try check(#Predicate { $0.nick?.isEmpty ?? true }, [1, 3, 5])
        try check(#Predicate { ($0.nick ?? "") == "" }, [1, 3, 5])
        try check(#Predicate { $0.nick == nil || $0.nick == "" }, [1, 3, 5])
        try check(#Predicate { $0.nick?.localizedStandardContains("NICK") == true }, [0, 2, 4])
        try check(#Predicate { $0.nick.flatMap { $0.count } == 5 }, [0, 2, 4])
        try check(#Predicate { $0.end != nil && $0.end! > $0.start }, [4, 5])
        let now = Date(timeIntervalSinceReferenceDate: 45)
        try check(#Predicate { ($0.end ?? now) >= now }, [0, 1, 2, 3, 5])
        try check(#Predicate { if let end = $0.end { end < now } else { false } }, [4])
        try check(#Predicate { $0.key == "k1" }, [1])
        try check(#Predicate { $0.key != "k1" }, [0, 2, 3, 4, 5])
        let keys: [String?] = ["k1", nil]
        try check(#Predicate { keys.contains($0.key) }, [1, 3, 4, 5])
        let plain = ["k0", "k2"]
        try check(#Predicate { project in project.key.flatMap { plain.contains($0) } ?? false }, [0, 2])
        try check(#Predicate { project in plain.contains(project.key ?? "") }, [0, 2])
        let none: String? = nil
        try check(#Predicate { $0.key == none }, [3, 4, 5])
        try check(#Predicate { $0.lead?.age == nil }, [0, 3])
        try check(#Predicate { ($0.lead?.age ?? 0) > 20 }, [1, 2, 5])
        try check(
            #Predicate { project in
                if let lead = project.lead {
                    if let age = lead.age { age == 21 } else { false }
                } else {
                    true
                }
            }, [0, 1, 5])
    }
    @Test func numbers() throws {
        try check(#Predicate { $0.budget > $0.spent }, [3, 4, 5])
        try check(#Predicate { $0.budget - $0.spent > 10 }, [4, 5])
        try check(#Predicate { $0.spent / 5 == $0.budget / 2 }, [1])
        try check(#Predicate { ($0.votes + 1) * 2 >= 6 }, [4, 5])
        try check(#Predicate { $0.votes / 2 == 0 }, [1, 2, 3])
        try check(#Predicate { $0.votes % 2 == -1 || $0.votes == 3 }, [1, 5])
        try check(#Predicate { -$0.votes > 0 }, [0, 1])
        let range = 0...2
        try check(#Predicate { range.contains($0.votes) }, [2, 3, 4])
        try check(#Predicate { (0..<2).contains($0.votes) }, [2, 3])
        try check(#Predicate { [0, 3].contains($0.votes) }, [2, 5])
        let partial = 2...
        try check(#Predicate { $0.votes >= partial.lowerBound }, [4, 5])
        try check(#Predicate { $0.tint.r == 3 || $0.tint.g == 8 }, [3, 4])
        try check(#Predicate { $0.tint.r + $0.tint.g > 10 }, [4, 5])
        try check(#Predicate { $0.budget == 20.0 ? $0.votes == 0 : $0.votes == 3 }, [2, 5])
        let float = 25.0
        try check(#Predicate { $0.spent == float && $0.budget <= float }, [0, 1, 2])
    }
    @Test func many() throws {
        try check(#Predicate { $0.jobs.contains { $0.steps?.contains { $0.n == 2 } == true } }, [4, 5])
        try check(#Predicate { $0.jobs.contains { ($0.hours ?? -1) > 2 } }, [4, 5])
        try check(#Predicate { $0.jobs.allSatisfy { $0.done } }, [0, 1])
        try check(#Predicate { $0.jobs.filter { $0.done }.count >= 2 }, [3, 4, 5])
        try check(#Predicate { $0.jobs.filter { $0.hours == nil }.isEmpty }, [0, 1])
        try check(#Predicate { !$0.jobs.filter { !$0.done }.isEmpty }, [2, 3, 4, 5])
        try check(#Predicate { $0.jobs.isEmpty || $0.jobs.count > 4 }, [0, 5])
        try check(
            #Predicate { $0.jobs.contains { job in job.people.contains { $0.name == "P2" } } }, [2, 3, 4, 5])
        try check(
            #Predicate { $0.jobs.contains { job in job.people.allSatisfy { ($0.age ?? 0) > 20 } } },
            [2, 3, 4, 5])
        try check(
            #Predicate { project in
                project.jobs.contains { job in job.title.contains("5") && job.done == project.isArchived }
            }, [5])
        try check(
            #Predicate { project in project.lead != nil && project.jobs.count > project.votes + 1 },
            [1, 2, 3, 4, 5])
        try check(
            #Predicate { $0.jobs.filter { $0.done }.allSatisfy { ($0.hours ?? 0) < 3 } }, [0, 1, 2, 3, 4])
        try check(#Predicate { $0.jobs.filter { $0.done }.contains { $0.steps?.count == 4 } }, [5])
        try check(#Predicate { $0.lead?.jobs.isEmpty == true }, [3])
        try check(#Predicate { $0.lead?.leads.count == 2 }, [1, 5])
    }
    @Test func sorts() throws {
        func sorted(_ sort: SortDescriptor<Project>...) throws -> [Int] {
            let first = try context.fetch(FetchDescriptor<Project>(sortBy: sort)).map {
                Int(String($0.name.last!))!
            }
            try context.save()
            #expect(
                try context.fetch(FetchDescriptor<Project>(sortBy: sort)).map { Int(String($0.name.last!))! }
                    == first)
            return first
        }
        #expect(try sorted(.init(\.nick), .init(\.name)) == [3, 5, 1, 0, 2, 4])
        #expect(try sorted(.init(\.end, order: .reverse), .init(\.name)) == [5, 4, 0, 1, 2, 3])
        #expect(try sorted(.init(\.tint.g, order: .reverse)) == [5, 4, 3, 2, 1, 0])
        #expect(try sorted(.init(\.lead?.name, order: .reverse), .init(\.start)) == [3, 2, 1, 5, 4, 0])
        #expect(try sorted(.init(\.lead?.age), .init(\.start)) == [0, 3, 4, 1, 5, 2])
    }
}
