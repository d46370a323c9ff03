// Generated accessors beside stored properties of an ordinary class: what a read costs in reads of the property, and
// a write in allocations of that class. Objects are fetched from a file, with faulting and change tracking as always.

import CoreData
import Foundation

enum Accessors {
    /// Few enough objects for the processor's caches, so that the accessor is what is measured.
    static let readCount = 250
    static let reads = 8_000
    static let writeCount = 50_000

    static func workloads(in folder: URL) throws -> [Workload] {
        let store = folder.appendingPathComponent("Heroes.sqlite")
        try fill(store)
        let plain = (0..<readCount).map { PlainHero($0) }
        let context = try Stack.context(Hero.model(), store)
        let heroes = try fetch(readCount, context)
        // Objects don't keep their context, and those of a context that is gone keep no texts.
        func kept(_ managed: @escaping () -> (Double, Int64)) -> () -> (Double, Int64) {
            { withExtendedLifetime(context) { managed() } }
        }
        return [
            reading("an integer", { sum(plain) { $0.level } }, kept { sum(heroes) { $0.level } }),
            reading(
                "a string of 10 bytes", { sum(plain) { take($0.name) } },
                kept { sum(heroes) { take($0.name) } }),
            reading(
                "a string of 19 bytes", { sum(plain) { take($0.title) } },
                kept { sum(heroes) { take($0.title) } }),
            writing("an integer", store) { $0.level = $1 },
            writing("a string of 10 bytes", store) { hero, _ in hero.name = "hero 12345" },
            writing("a string of 19 bytes", store) { hero, _ in hero.title = "Defender no. 123456" },
        ]
    }

    private static func fill(_ store: URL) throws {
        let context = try Stack.context(Hero.model(), store)
        try context.performAndWait {
            for row in 0..<writeCount {
                let hero = Hero(context: context)
                (hero.level, hero.name, hero.title) = (Int64(row), Hero.name(row), Hero.title(row))
            }
            try context.save()
        }
    }

    private static func fetch(_ count: Int, _ context: NSManagedObjectContext) throws -> [Hero] {
        let request = NSFetchRequest<Hero>(entityName: "Hero")
        request.sortDescriptors = [NSSortDescriptor(key: "level", ascending: true)]
        request.fetchLimit = count
        let heroes = try context.fetch(request)
        // Reading fires the faults.
        return heroes.filter { $0.level >= 0 }
    }

    // MARK: Reading

    private static func reading(
        _ what: String, _ plain: @escaping () -> (Double, Int64), _ managed: @escaping () -> (Double, Int64)
    ) -> Workload {
        Workload(
            name: "read \(what)",
            contestants: [
                Contestant(name: "stored property", run: plain),
                Contestant(name: "generated accessor", run: managed),
            ])
    }

    @inline(__always)
    private static func sum<Object: AnyObject>(
        _ objects: [Object], _ read: (Object) -> Int64
    ) -> (Double, Int64) {
        var sum: Int64 = 0
        // Without the reference counts of the loop, which would hide what an access costs.
        let references = objects.map(Unmanaged.passUnretained)
        let time = Clock.measure {
            for _ in 0..<reads {
                for reference in references { sum &+= reference._withUnsafeGuaranteedRef(read) }
            }
        }
        return withExtendedLifetime(objects) { (time, sum) }
    }

    /// Takes a string over, as whoever keeps one does.
    @inline(never)
    private static func take(_ text: consuming String?) -> Int64 { Int64(text?.utf8.count ?? 0) }

    // MARK: Writing

    @inline(__always)
    private static func writing(
        _ what: String, _ store: URL, _ write: @escaping (Hero, Int64) -> Void
    ) -> Workload {
        Workload(
            name: "write \(what)",
            contestants: [
                Contestant(name: "allocation of an ordinary object") { allocate() },
                Contestant(name: "first write") { try writes(store, write).first },
                Contestant(name: "later write") { try writes(store, write).later },
            ])
    }

    private static func allocate() -> (Double, Int64) {
        var objects: [PlainHero] = []
        objects.reserveCapacity(writeCount)
        let (name, title) = (Hero.name(0), Hero.title(0))
        let time = Clock.measure {
            for row in 0..<writeCount {
                objects.append(PlainHero(level: Int64(row), name: name, title: title))
            }
        }
        return (time, Int64(objects.count))
    }

    /// Writes every object once, and once more.
    @inline(__always)
    private static func writes(
        _ store: URL, _ write: (Hero, Int64) -> Void
    ) throws -> (first: (Double, Int64), later: (Double, Int64)) {
        let context = try Stack.context(Hero.model(), store)
        let heroes = try fetch(writeCount, context)
        let first = Clock.measure { for hero in heroes { write(hero, 7) } }
        let later = Clock.measure { for hero in heroes { write(hero, 8) } }
        return withExtendedLifetime(context) {
            ((first, Int64(heroes.count)), (later, Int64(context.updatedObjects.count)))
        }
    }
}
