// The costs of single steps: keys, faults, relationships. In allocations of an ordinary
// object with the same values.

import CoreData
import Foundation

enum ObjectCosts {
    static let count = Staff.peopleCount

    private typealias Work = ([Person], [Company], NSManagedObjectContext) throws -> Double

    static func workloads(in folder: URL) throws -> [Workload] {
        let store = try Staff.store(in: folder)
        return (keys + faults + relationships).map { name, run in
            Workload(
                name: "cost of \(name), \(count) times",
                contestants: [
                    Contestant(name: "allocation of an ordinary object") { (allocate(), 0) },
                    Contestant(name: "CoreData, typed") { (try with(store, run), 0) },
                ])
        }
    }

    private static var keys: [(String, Work)] {
        [
            (
                "value(forKey:)",
                { people, _, _ in
                    fire(people)
                    var sum = 0
                    return Clock.measure {
                        for person in people { sum &+= (person.value(forKey: "age") as? Int) ?? 0 }
                    }
                }
            ),
            (
                "setValue(_:forKey:)",
                { people, _, _ in
                    fire(people)
                    let age = NSNumber(value: 44)
                    return Clock.measure { for person in people { person.setValue(age, forKey: "age") } }
                }
            ),
        ]
    }

    private static var faults: [(String, Work)] {
        [
            ("firing a fault that has its row", { people, _, _ in Clock.measure { fire(people) } }),
            (
                "firing a fault from the store",
                { people, _, context in
                    for person in people { context.refresh(person, mergeChanges: false) }
                    return Clock.measure { fire(people) }
                }
            ),
        ]
    }

    private static var relationships: [(String, Work)] {
        [
            (
                "setting a to-one relationship",
                { people, companies, _ in
                    fire(people)
                    return Clock.measure {
                        for (row, person) in people.enumerated() {
                            person.company = companies[(row &* 7) % companies.count]
                        }
                    }
                }
            ),
            (
                "emptying a to-one relationship",
                { people, _, _ in
                    fire(people)
                    return Clock.measure { for person in people { person.company = nil } }
                }
            ),
        ]
    }

    private static func with(
        _ store: URL, _ run: Work
    ) throws -> Double {
        let context = try Stack.context(Staff.model(), store)
        let people = try Staff.allPeople(context)
        let companies = try context.fetch(NSFetchRequest<Company>(entityName: "Company"))
        return try withExtendedLifetime(context) { try run(people, companies, context) }
    }

    private static func fire(_ people: [Person]) {
        for person in people { person.willAccessValue(forKey: nil) }
    }

    private static func allocate() -> Double {
        var objects: [PlainHero] = []
        objects.reserveCapacity(count)
        let (name, title) = (Hero.name(0), Hero.title(0))
        return Clock.measure {
            for row in 0..<count { objects.append(PlainHero(level: Int64(row), name: name, title: title)) }
        }
    }
}
