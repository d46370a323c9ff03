import CoreData
import Synchronization
import Testing

@testable import People

@MainActor @Suite struct PeopleImportTests {
    /// A folder that goes when the test ends.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private let folder: Folder
    private let book: AddressBook

    init() throws {
        folder = try Folder()
        book = try AddressBook(file: folder.url.appendingPathComponent("People.sqlite"))
    }

    private func person(_ number: Int) throws -> Person? {
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.predicate = NSPredicate(format: "number == %@", number)
        return try book.container.viewContext.fetch(request).first
    }

    @Test(arguments: PeopleImport.Way.allCases)
    func bothWaysImportTheSame(_ way: PeopleImport.Way) async throws {
        let reports = Mutex<[Range<Int>]>([])
        try await PeopleImport(book: book, way: way, batchSize: 1000).run(count: 2500) { batch in
            reports.withLock { $0.append(batch) }
        }
        #expect(reports.withLock { $0 } == [0..<1000, 1000..<2000, 2000..<2500])
        #expect(try await book.count("Person") == 2500)
        #expect(try await book.count("Laptop") == 250)
        for number in [0, 7, 990, 1001, 2490, 2499] {
            let sample = Sample(number: number)
            let person = try #require(try person(number))
            #expect(person.name == sample.name && person.email == sample.email)
            #expect(person.birthDate == sample.birthDate)
            #expect(person.laptops.first?.name == sample.laptop?.name)
            #expect(person.laptops.first?.color == sample.laptop?.color)
            #expect(person.laptops.allSatisfy { $0.owner === person })
        }
    }

    @Test(arguments: PeopleImport.Way.allCases)
    func whatWasSavedStaysWhenTheTaskIsCancelled(_ way: PeopleImport.Way) async throws {
        let people = PeopleImport(book: book, way: way, batchSize: 100)
        let task = Task {
            try await people.run(count: 1000) { batch in
                if batch.upperBound == 300 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await book.count("Person") == 300)
        #expect(try await book.count("Laptop") == 30)
    }

    @Test func idsComeFromTheBackgroundAndObjectsAreOfTheMainContext() async throws {
        try await PeopleImport(book: book).run(count: 3000) { _ in }
        let ids = try await book.ids(ofPeopleNamed: "Grace H")
        let expected = (0..<3000).map { Sample(number: $0) }.filter { $0.name.hasPrefix("Grace H") }
            .sorted { ($0.name, $0.number) < ($1.name, $1.number) }
        #expect(!expected.isEmpty && ids.count == expected.count)
        let people = try book.people(ids.reversed())
        #expect(people.map(\.number) == expected.reversed().map { Int64($0.number) })
        #expect(people.allSatisfy { $0.managedObjectContext === book.container.viewContext })
        #expect(try book.people([]).isEmpty)
    }

    @Test func laptopsAreFoundByColor() async throws {
        try await PeopleImport(book: book, way: .rows).run(count: 1000) { _ in }
        for color in Sample.colors {
            #expect(try book.numberOfLaptops(color) == 25)
            let laptops = try book.laptops(color, limit: 7)
            #expect(laptops.count == 7 && laptops.allSatisfy { $0.color == color })
            let owners = laptops.compactMap { $0.owner?.name }
            #expect(owners == owners.sorted() && owners.count == 7)
        }
        #expect(try book.numberOfLaptops(Color(1, 2, 3)) == 0)
        // An equal colour is as good, and so is a laptop that isn't saved yet.
        let context = book.container.viewContext
        let laptop = Laptop(context: context)
        laptop.name = "New"
        laptop.color = Color(200, 16, 46)
        #expect(try book.numberOfLaptops(.red) == 26)
        #expect(try book.laptops(.red, limit: 100).contains(laptop))
        context.rollback()
        #expect(try book.numberOfLaptops(.red) == 25)
        let request: NSFetchRequest<Laptop> = Laptop.fetchRequest()
        request.predicate = NSPredicate(format: "color != %@ AND owner.number < 40", Color.red)
        #expect(try context.fetch(request).compactMap(\.owner?.number).sorted() == [0, 10, 30])
    }

    @Test func aColorIsThreeBytes() {
        let transformer = ColorTransformer()
        #expect(transformer.transformedValue(Color.gold) as? Data == Data([212, 175, 55]))
        #expect(transformer.reverseTransformedValue(Data([212, 175, 55])) as? Color == Color.gold)
        #expect(transformer.reverseTransformedValue(Data([1])) == nil)
        #expect(transformer.transformedValue("red") == nil)
        #expect(Color.gold.description == "#D4AF37")
    }
}
