// The import: in the background, in batches, in memory that doesn't grow with their number.

import CoreData

/// Imports people into an address book.
struct PeopleImport: Sendable {
    /// The ways in which rows come into the store.
    enum Way: String, CaseIterable, Sendable {
        /// As managed objects, which are validated and know their relationships.
        case objects
        /// As rows of batch inserts, for which no object is made.
        case rows
    }

    let book: AddressBook
    var way = Way.objects
    var batchSize = 10_000

    /// Imports the people with the numbers from 0 on. Each batch is one transaction; `report` hears of it afterwards.
    /// If the task is cancelled, batches that were saved stay.
    func run(count: Int, report: @Sendable (Range<Int>) -> Void) async throws {
        let context = book.container.newBackgroundContext()
        var next = 0
        while next < count {
            try Task.checkCancellation()
            let batch = next..<min(next + batchSize, count)
            try await context.perform {
                switch way {
                case .objects: try Self.insertObjects(batch, in: context)
                case .rows: try Self.insertRows(batch, in: context)
                }
            }
            report(batch)
            next = batch.upperBound
        }
    }

    // MARK: Objects

    private static func insertObjects(_ numbers: Range<Int>, in context: NSManagedObjectContext) throws {
        for number in numbers {
            let sample = Sample(number: number)
            let person = Person(context: context)
            fill(person, from: sample)
            guard let (name, color) = sample.laptop else { continue }
            let laptop = Laptop(context: context)
            laptop.name = name
            laptop.color = color
            laptop.owner = person
        }
        try context.save()
        // People and laptops hold each other. Without this they would stay until the context goes.
        context.reset()
    }

    private static func fill(_ person: Person, from sample: Sample) {
        person.number = Int64(sample.number)
        person.name = sample.name
        person.email = sample.email
        person.birthDate = sample.birthDate
    }

    // MARK: Rows

    private static func insertRows(_ numbers: Range<Int>, in context: NSManagedObjectContext) throws {
        var rest = numbers.makeIterator()
        // The same object again and again: it only carries values into the request.
        let people = NSBatchInsertRequest(entityName: "Person") { (object: NSManagedObject) in
            guard let person = object as? Person, let number = rest.next() else { return true }
            fill(person, from: Sample(number: number))
            return false
        }
        people.resultType = .objectIDs
        let result = try context.execute(people) as? NSBatchInsertResult
        let ids = result?.result as? [NSManagedObjectID] ?? []

        // Laptops need their owners' IDs, which are in the order of the rows.
        var owners = zip(numbers, ids).lazy.filter { Sample(number: $0.0).laptop != nil }.makeIterator()
        let laptops = NSBatchInsertRequest(entityName: "Laptop") { (values: NSMutableDictionary) in
            guard let (number, id) = owners.next(), let laptop = Sample(number: number).laptop else {
                return true
            }
            values["name"] = laptop.name
            values["color"] = laptop.color
            values["owner"] = id
            return false
        }
        _ = try context.execute(laptops)
    }
}
