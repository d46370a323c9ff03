// Imports people and looks at some: swift run -c release People [--count N] [--rows] [--batch N] [FILE]
//
// N people, 50,000 unless given, are imported into a new store in FILE, as objects or, with --rows, as rows of batch
// inserts. With --count 0 the store that is there is only looked at.

import CoreData

let arguments: Arguments
do {
    arguments = try Arguments(CommandLine.arguments.dropFirst())
} catch let problem as Arguments.Problem {
    FileHandle.standardError.write(Data("People: \(problem.text)\n".utf8))
    exit(64)
}
let file =
    arguments.file.map { URL(fileURLWithPath: $0) }
    ?? FileManager.default.temporaryDirectory.appendingPathComponent("People.sqlite")
if arguments.count > 0 {
    for ending in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + ending)  // there may be none
    }
}
let book = try AddressBook(file: file)

// 1. Import in the background. The main queue is free meanwhile: between batches it draws the bar.
if arguments.count > 0 {
    let start = ContinuousClock.now
    let bar = ProgressBar(total: arguments.count)
    let people = PeopleImport(book: book, way: arguments.way, batchSize: arguments.batchSize)
    try await people.run(count: arguments.count) { bar.show($0) }
    let seconds = String(format: "%.1f", (ContinuousClock.now - start) / .seconds(1))
    let memory = peakMemory().map { ", at most \($0) MB of memory" } ?? ""
    print("Imported in \(seconds) s\(memory)")
}
let counts = try await (book.count("Person"), book.count("Laptop"))
print("\(ProgressBar.grouped(counts.0)) people with \(ProgressBar.grouped(counts.1)) laptops in \(file.path)")

// 2. Search in the background for IDs; make objects only of those that are shown.
let ids = try await book.ids(ofPeopleNamed: "Katherine J")
print("\n\(ProgressBar.grouped(ids.count)) people are called Katherine J…; the first of them:")
for person in try book.people(ids.prefix(5)) {
    let day = person.birthDate.formatted(.iso8601.year().month().day())
    print("  \(person.name), born \(day), \(person.email), laptops: \(person.laptops.count)")
}

// 3. Find laptops by colour: the colour becomes bytes, and the store compares them.
for (name, color) in [("black", Color.black), ("red", .red), ("pink", Color(255, 192, 203))] {
    print("\n\(ProgressBar.grouped(try book.numberOfLaptops(color))) laptops are \(name) (\(color))")
    for laptop in try book.laptops(color, limit: 3) {
        print("  \(laptop.name), which is \(laptop.owner?.email ?? "nobody")'s")
    }
}
