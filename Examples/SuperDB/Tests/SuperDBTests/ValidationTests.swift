import CoreData
import Testing

@testable import SuperDB

@Suite struct ValidationTests {
    /// The problem that a value of one property has.
    private func problem(_ hero: Hero, _ key: String, _ value: Any?) -> HeroProblem? {
        var value = value
        do {
            try hero.validateValue(&value, forKey: key)
            return nil
        } catch {
            let error = error as NSError
            #expect(error.domain == Hero.errorDomain)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
            #expect(error.userInfo[NSValidationObjectErrorKey] as? Hero === hero)
            return HeroProblem(rawValue: error.code)
        }
    }

    @Test func namesAreChecked() throws {
        try withContext { context, _ in
            let hero = Hero(context: context)
            #expect(problem(hero, "name", "Granite") == nil)
            #expect(problem(hero, "name", "") == .nameIsEmpty)
            #expect(problem(hero, "name", " \n") == .nameIsEmpty)
            #expect(problem(hero, "name", String(repeating: "a", count: 40)) == nil)
            #expect(problem(hero, "name", String(repeating: "a", count: 41)) == .nameIsTooLong)
            var value: Any? = "  Granite "
            try hero.validateValue(&value, forKey: "name")
            #expect(value as? String == "Granite")
        }
    }

    @Test func birthDatesAreChecked() throws {
        try withContext { context, _ in
            let hero = Hero(context: context)
            #expect(problem(hero, "birthDate", day(1990, 1, 1)) == nil)
            #expect(problem(hero, "birthDate", Date(timeIntervalSinceNow: 3600)) == .notBornYet)
            #expect(problem(hero, "birthDate", day(1700, 1, 1)) == .tooOld)
        }
    }

    @Test func aSaveTellsEverything() throws {
        try withContext { context, file in
            let hero = Hero(context: context)
            (hero.name, hero.birthDate) = (" ", day(2999, 1, 1))
            let power = Power(context: context)
            power.hero = hero
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationMultipleErrorsError)
            let said = sentences(try #require(error))
            #expect(said.count == 3)
            #expect(said.contains("A hero needs a name."))
            #expect(said.contains("A hero can't be born in the future."))
            #expect(said.contains { $0.contains("required") && $0.contains("name") })
            #expect(try rows("SELECT COUNT(*) FROM ZHERO", in: file) == [["0"]])
        }
    }

    @Test func savedNamesAreTrimmed() throws {
        try withContext { context, file in
            let hero = Hero(context: context)
            (hero.name, hero.birthDate) = ("  Ms. Stranger ", day(1990, 1, 1))
            try context.save()
            #expect(hero.name == "Ms. Stranger")
            #expect(try rows("SELECT ZNAME FROM ZHERO", in: file) == [["Ms. Stranger"]])
        }
    }

    @Test func identitiesAreSecret() throws {
        try withContext { context, file in
            let hero = Hero(context: context)
            (hero.name, hero.birthDate, hero.secretIdentity) = ("Ada", day(1990, 1, 1), "Ada")
            let refused = #expect(throws: NSError.self) { try context.save() }
            #expect(refused?.code == HeroProblem.identityIsNoSecret.rawValue)
            hero.secretIdentity = "Bo"
            try context.save()
            hero.secretIdentity = "Ada"
            let again = #expect(throws: NSError.self) { try context.save() }
            #expect(again?.domain == Hero.errorDomain)
            #expect(again?.localizedDescription.contains("Ada must not be known as Ada") == true)
            #expect(try rows("SELECT ZSECRETIDENTITY FROM ZHERO", in: file) == [["Bo"]])
        }
    }
}
