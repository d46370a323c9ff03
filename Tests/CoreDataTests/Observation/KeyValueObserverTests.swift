import CoreData
import CoreDataTestSupport
import Testing

/// Written as for Apple's systems but for its superclass.
private final class Watcher: KeyValueObserver {
    var lines: [String] = []

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        let old = change?[.oldKey].map { $0 is NSNull ? "null" : "\($0)" } ?? "-"
        let new = change?[.newKey].map { $0 is NSNull ? "null" : "\($0)" } ?? "-"
        let isPrior = change?[.notificationIsPriorKey] as? Bool == true
        let kind = (change?[.kindKey] as? NSNumber)?.uintValue ?? 0
        lines.append("\(keyPath ?? "") \(kind) \(old) \(new)\(isPrior ? " prior" : "")")
        if let context { lines.append("context \(context == Self.own)") }
    }

    /// An address and no more.
    nonisolated(unsafe) static let own = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
}

/// Has a superclass of its own.
private final class Counter: KeyValueObserving {
    var count = 0

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        count += object is NSManagedObject || object is NSManagedObjectContext ? 1 : 0
    }
}

/// Ends its observation as most do.
private final class Leaver: KeyValueObserver {
    private let object: NSManagedObject

    init(_ object: NSManagedObject) {
        self.object = object
        super.init()
        object.addObserver(self, forKeyPath: "name", options: [], context: nil)
    }

    deinit {
        object.removeObserver(self, forKeyPath: "name")
    }
}

@Suite struct KeyValueObserverTests {
    private func run(_ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            try stack.context.save()
            try body(stack.context, person)
        }
    }

    @Test func anObserverMayRemoveItselfWhenItGoes() throws {
        try run { _, person in
            var leaver: Leaver? = Leaver(person)
            weak let trace = leaver
            leaver = nil
            #expect(trace == nil)
            person.setValue("Bea", forKey: "name")
        }
    }

    @Test func changesComeAsDictionaries() throws {
        try run { context, person in
            let watcher = Watcher()
            person.addObserver(
                watcher, forKeyPath: "name", options: [.initial, .old, .new], context: nil)
            expect(watcher.lines, equals: ["name 1 - Ada"])
            person.setValue("Bea", forKey: "name")
            person.setValue(nil, forKey: "name")
            expect(watcher.lines.dropFirst(), equals: ["name 1 Ada Bea", "name 1 Bea null"])
            person.removeObserver(watcher, forKeyPath: "name")
            person.setValue("Cleo", forKey: "name")
            expect(watcher.lines.count, equals: 3)
            watcher.lines = []
            person.addObserver(watcher, forKeyPath: "name", options: [.prior, .old, .new], context: nil)
            person.setValue("Dora", forKey: "name")
            expect(watcher.lines, equals: ["name 1 Cleo - prior", "name 1 Cleo Dora"])
            person.removeObserver(watcher, forKeyPath: "name", context: nil)
        }
    }

    @Test func relationshipsPathsAndFlags() throws {
        try run { context, person in
            let watcher = Watcher()
            let company = context.make("Company", ["name": "A"])
            company.addObserver(watcher, forKeyPath: "people", context: Watcher.own)
            person.addObserver(watcher, forKeyPath: "company.name", options: .new, context: nil)
            person.addObserver(watcher, forKeyPath: "isDeleted", options: .new, context: nil)
            person.setValue(company, forKey: "company")
            #expect(watcher.lines.contains("people 2 - -") && watcher.lines.contains("context true"))
            #expect(watcher.lines.contains("company.name 1 - A"))
            context.delete(person)
            #expect(watcher.lines.contains("isDeleted 1 - 1"))
            company.removeObserver(watcher, forKeyPath: "people", context: Watcher.own)
        }
    }

    @Test func anIndexIsThatOfAnOrderedRelationship() throws {
        try run { context, _ in
            final class Places: KeyValueObserver {
                var indexes: [IndexSet?] = []

                override func observeValue(
                    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                    context: UnsafeMutableRawPointer?
                ) {
                    indexes.append(change?[.indexesKey] as? IndexSet)
                }
            }
            let (author, note) = (context.make("Person"), context.make("Note"))
            let places = Places()
            author.addObserver(places, forKeyPath: "notes", context: nil)
            note.setValue(author, forKey: "author")
            expect(places.indexes, equals: [IndexSet(integer: 0)])
            author.removeObserver(places, forKeyPath: "notes")
        }
    }

    @Test func anObserverThatIsGoneIsNotTold() throws {
        try run { context, person in
            weak var kept: Watcher?
            do {
                let watcher = Watcher()
                kept = watcher
                person.addObserver(watcher, forKeyPath: "name", context: nil)
            }
            #expect(kept == nil)
            person.setValue("Bea", forKey: "name")
            let counter = Counter()
            person.addObserver(counter, forKeyPath: "name", context: nil)
            person.setValue("Cleo", forKey: "name")
            expect(counter.count, equals: 1)
            // Apple's superclass takes what nobody overrides.
            KeyValueObserver().observeValue(forKeyPath: nil, of: nil, change: nil, context: nil)
        }
    }

    @Test func contextsTellOfTheirChanges() throws {
        try run { context, person in
            let (watcher, counter) = (Watcher(), Counter())
            context.addObserver(watcher, forKeyPath: "hasChanges", options: [.old, .new], context: nil)
            context.addObserver(counter, forKeyPath: "hasChanges", context: Watcher.own)
            person.setValue("Bea", forKey: "name")
            context.rollback()
            expect(watcher.lines, equals: ["hasChanges 1 false true", "hasChanges 1 true false"])
            expect(counter.count, equals: 2)
            context.removeObserver(watcher, forKeyPath: "hasChanges")
            context.removeObserver(counter, forKeyPath: "hasChanges", context: Watcher.own)
            person.setValue("Cleo", forKey: "name")
            #expect(watcher.lines.count == 2 && counter.count == 2)
        }
    }

    @Test func keysAreApples() {
        let keys: [NSKeyValueChangeKey] = [.kindKey, .newKey, .oldKey, .indexesKey, .notificationIsPriorKey]
        expect(keys.map(\.rawValue), equals: ["kind", "new", "old", "indexes", "notificationIsPrior"])
        expect(NSKeyValueChangeKey(rawValue: "new"), equals: .newKey)
    }

    @Test func whatIsNotThereCannotBeRemoved() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            try stack.context.run { () throws in
                stack.context.make("Person").removeObserver(Counter(), forKeyPath: "name")
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            try stack.context.run { stack.context.removeObserver(Counter(), forKeyPath: "hasChanges") }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            try stack.context.run {
                stack.context.addObserver(Counter(), forKeyPath: "insertedObjects", context: nil)
            }
        }
    }
}
