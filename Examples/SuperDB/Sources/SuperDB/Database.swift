// The store, and the heroes that it starts with.

import CoreData

/// Heroes in an SQLite file.
struct Database {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    /// Opens the store in the file, or makes one. The container finds the compiled model in the package's bundle.
    init(file: URL) throws {
        // Before anything reads a colour.
        ValueTransformer.setValueTransformer(ColourTransformer(), forName: ColourTransformer.name)
        container = NSPersistentContainer(name: "SuperDB")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// All heroes, the oldest first.
    static func heroes(in context: NSManagedObjectContext) throws -> [Hero] {
        let request = Hero.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "birthDate", ascending: true)]
        return try context.fetch(request)
    }

    /// Inserts heroes without saving them.
    @discardableResult
    static func insertHeroes(in context: NSManagedObjectContext) -> [Hero] {
        func add(
            _ name: String, _ identity: String?, _ sex: String, born birthDate: Date, _ colour: Colour,
            _ powers: [String: String]
        ) -> Hero {
            let hero = Hero(context: context)
            (hero.name, hero.secretIdentity, hero.sex) = (name, identity, sex)
            (hero.birthDate, hero.favouriteColour) = (birthDate, colour)
            for (name, source) in powers {
                let power = Power(context: context)
                (power.name, power.source) = (name, source)
                hero.addToPowers(power)
            }
            return hero
        }
        return [
            add(
                "Night Owl", "Ada Moreno", "Female", born: day(1962, 3, 9),
                Colour(red: 0.1, green: 0.1, blue: 0.3), ["Sees in the dark": "An accident with carrots"]),
            add(
                "Granite", "Bo Lind", "Male", born: day(1978, 11, 30),
                Colour(red: 0.5, green: 0.5, blue: 0.5), ["Strength": "Born with it", "Patience": "Fishing"]),
            add(
                "Quicksilver Kate", "Kate Okoro", "Female", born: day(1991, 6, 1),
                Colour(red: 0.8, green: 0.8, blue: 0.9, alpha: 0.5), ["Speed": "Coffee"]),
            add(
                "The Draughtsman", nil, "Male", born: day(2003, 1, 17), Colour(red: 1, green: 0.5, blue: 0),
                ["Draws doors that open": "A pencil that he found"]),
        ]
    }
}

/// Noon of a day in Greenwich, the same day nearly everywhere.
func day(_ year: Int, _ month: Int, _ day: Int) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = DateComponents(year: year, month: month, day: day, hour: 12)
    guard let date = calendar.date(from: parts) else { preconditionFailure("\(parts) is no day") }
    return date
}
