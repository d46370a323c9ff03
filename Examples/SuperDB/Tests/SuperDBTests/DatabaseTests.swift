import CoreData
import Testing

@testable import SuperDB

/// Runs the body on the queue of a new context on a new store, whose file it gets as well.
func withContext(_ body: (NSManagedObjectContext, URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("SuperDB-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("SuperDB.sqlite")
    let context = try Database(file: file).container.newBackgroundContext()
    try context.performAndWait { try body(context, file) }
}

@Suite struct DatabaseTests {
    private func hero(_ name: String, _ context: NSManagedObjectContext) throws -> Hero {
        try #require(try Database.heroes(in: context).first { $0.name == name })
    }

    @Test func heroesComeBack() throws {
        try withContext { context, file in
            Database.insertHeroes(in: context)
            try context.save()
            let other = try Database(file: file).container.newBackgroundContext()
            try other.performAndWait {
                let heroes = try Database.heroes(in: other)
                #expect(
                    heroes.map(\.name) == ["Night Owl", "Granite", "Quicksilver Kate", "The Draughtsman"])
                #expect(heroes.map(\.secretIdentity) == ["Ada Moreno", "Bo Lind", "Kate Okoro", nil])
                #expect(heroes[1].birthDate == day(1978, 11, 30) && heroes[1].sex == "Male")
                #expect(
                    heroes[2].favouriteColour == Colour(red: 0.8, green: 0.8, blue: 0.9, alpha: 0.5))
                let powers = heroes[1].powers as? Set<Power>
                #expect(Set(powers?.compactMap(\.name) ?? []) == ["Strength", "Patience"])
                #expect(powers?.allSatisfy { $0.hero === heroes[1] } == true)
            }
        }
    }

    @Test func coloursAreWrittenByTheirTransformer() throws {
        try withContext { context, file in
            let hero = Database.insertHeroes(in: context)[3]
            try context.save()
            let query = "SELECT CAST(ZFAVOURITECOLOUR AS TEXT) FROM ZHERO WHERE ZNAME = 'The Draughtsman'"
            #expect(try rows(query, in: file) == [["[1,0.5,0,1]"]])
            // An equal colour is no change, another is.
            hero.favouriteColour = Colour(red: 1, green: 0.5, blue: 0)
            #expect(hero.changedValues().isEmpty)
            hero.favouriteColour = Colour(red: 1, green: 0.5, blue: 0, alpha: 0)
            try context.save()
            #expect(try rows(query, in: file) == [["[1,0.5,0,0]"]])
            #expect(hero.favouriteColour?.description == "#FF800000")
            hero.favouriteColour = nil
            try context.save()
            #expect(try rows(query, in: file) == [[nil]])
        }
    }

    @Test func powersGoWithTheirHero() throws {
        try withContext { context, file in
            Database.insertHeroes(in: context)
            try context.save()
            context.delete(try hero("Granite", context))
            try context.save()
            #expect(try rows("SELECT COUNT(*) FROM ZHERO", in: file) == [["3"]])
            let names = try rows("SELECT ZNAME FROM ZPOWER ORDER BY ZNAME", in: file).map { $0[0] }
            #expect(names == ["Draws doors that open", "Sees in the dark", "Speed"])
            // A power may leave without its hero.
            let owl = try hero("Night Owl", context)
            let power = try #require((owl.powers as? Set<Power>)?.first)
            context.delete(power)
            try context.save()
            #expect(owl.powers?.count == 0)
        }
    }

    @Test func reportsAreFetchedProperties() throws {
        try withContext { context, _ in
            Database.insertHeroes(in: context)
            try context.save()
            let kate = try hero("Quicksilver Kate", context)
            #expect(kate.reports.map(\.title) == ["Older", "Younger", "Same sex", "Opposite sex"])
            #expect(
                kate.reports.map { $0.heroes.map(\.name) } == [
                    ["Granite", "Night Owl"], ["The Draughtsman"], ["Night Owl"],
                    ["Granite", "The Draughtsman"],
                ])
            // A report stays as it was read until the hero is refreshed.
            context.delete(try hero("The Draughtsman", context))
            try context.save()
            context.refresh(kate, mergeChanges: false)
            #expect(kate.youngerHeroes?.isEmpty == true)
            #expect(kate.value(forKey: "oppositeSexHeroes") as? [Hero] == [try hero("Granite", context)])
        }
    }

    @Test func agesAreCalculated() throws {
        try withContext { context, _ in
            let hero = Hero(context: context)
            #expect(hero.age == nil && hero.value(forKey: "age") == nil)
            hero.birthDate = day(2000, 6, 15)
            #expect(hero.age(on: day(2020, 6, 14)) == 19)
            #expect(hero.age(on: day(2020, 6, 16)) == 20)
            #expect(hero.value(forKey: "age") as? Int == hero.age)
            #expect(hero.entity.propertiesByName["age"] == nil)
            #expect(hero.changedValues()["age"] == nil)
        }
    }

    @Test func heroesAreNewUntilTheyAreSaved() throws {
        try withContext { context, _ in
            let hero = Database.insertHeroes(in: context)[0]
            #expect(hero.isNew && hero.value(forKey: "isNew") as? Bool == true)
            try context.save()
            #expect(!hero.isNew)
            hero.name = "Day Owl"
            #expect(!hero.isNew)
            #expect(hero.committedValues(forKeys: ["name"])["name"] as? String == "Night Owl")
            context.refresh(hero, mergeChanges: false)
            #expect(!hero.isNew)
        }
    }
}
