import CoreData
import Testing

@testable import Catalogue

@Suite struct ValidationTests {
    /// The codes that a save gives.
    private func codes(_ context: NSManagedObjectContext) -> [Int] {
        do {
            try context.save()
            return []
        } catch {
            let error = error as NSError
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            return details.map(\.code)
        }
    }

    /// Sets a value that a rule refuses, and takes it back.
    private func check<Value>(
        _ path: ReferenceWritableKeyPath<Product, Value>, _ value: Value, _ code: Int,
        _ context: NSManagedObjectContext
    ) throws {
        let object = try product("Glue", context)
        object[keyPath: path] = value
        #expect(codes(context) == [code], "\(path) \(value)")
        context.rollback()
        #expect(codes(context).isEmpty)
    }

    @Test func attributesKeepTheModelsRules() throws {
        try withCatalogue { context, _ in
            try check(\.name, "G", NSValidationStringTooShortError, context)
            try check(\.name, String(repeating: "g", count: 41), NSValidationStringTooLongError, context)
            try check(\.price, 0, NSValidationNumberTooSmallError, context)
            try check(\.price, 10_001, NSValidationNumberTooLargeError, context)
            try check(\.quantity, -1, NSValidationNumberTooSmallError, context)
            try check(\.itemNumber, "PR-12345", NSValidationStringPatternMatchingError, context)
            try check(\.details, String(repeating: "g", count: 201), NSValidationStringTooLongError, context)
            let first = Date(timeIntervalSinceReferenceDate: -31_622_400)
            try check(\.addedOn, first - 1, NSValidationDateTooSoonError, context)
            try check(\.addedOn, .distantFuture, NSValidationDateTooLateError, context)
            let glue = try product("Glue", context)
            (glue.addedOn, glue.price, glue.name, glue.quantity) = (first, 10_000, "Gl", 0)
            #expect(codes(context).isEmpty)
            glue.setValue(nil, forKey: "name")
            #expect(codes(context) == [NSValidationMissingMandatoryPropertyError])
        }
    }

    @Test func relationshipsKeepTheModelsRules() throws {
        try withCatalogue { context, _ in
            try check(\.countries, [], NSValidationRelationshipLacksMinimumCountError, context)
            let countries = (1...4).map { number in
                let country = Country(context: context)
                country.name = "Land \(number)"
                return country
            }
            try context.save()
            try check(
                \.countries, Set(countries), NSValidationRelationshipExceedsMaximumCountError, context)
            let review = Review(context: context)
            review.stars = 6
            #expect(
                Set(codes(context)) == [
                    NSValidationMissingMandatoryPropertyError, NSValidationNumberTooLargeError,
                ])
        }
    }

    @Test func countriesAreUnique() throws {
        try withCatalogue { context, file in
            let china = Country(context: context)
            china.name = "China"
            #expect(codes(context) == [NSManagedObjectConstraintMergeError])
            let saved = try count("ZCOUNTRY", file)
            #expect(saved == "2")
        }
    }

    @Test func wordsAreChecked() throws {
        try withCatalogue { context, file in
            let glue = try product("Glue", context)
            glue.name = "Shoddy glue"
            glue.details = "Not worthless at all."
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(
                sentences(try #require(error)) == [
                    "“Shoddy” is no word for the name of a product.",
                    "“worthless” is no word for the details of a product.",
                ])
            var value: Any? = "Worthlessness"
            try glue.validateValue(&value, forKey: "name")
            // Inherited by hammers.
            value = "A junk-hammer"
            let hammer = try product("Light hammer", context)
            let refused = #expect(throws: NSError.self) { try hammer.validateValue(&value, forKey: "name") }
            #expect(refused?.domain == Product.errorDomain && refused?.code == Product.inappropriateWord)
            #expect(refused?.userInfo[NSValidationKeyErrorKey] as? String == "name")
            #expect(try rows("SELECT ZNAME FROM ZPRODUCT WHERE ZNAME LIKE '%glue%'", in: file) == [["Glue"]])
        }
    }

    @Test func newProductsHaveDefaults() throws {
        try withCatalogue { context, _ in
            let before = Date()
            let screwdriver = Product(context: context)
            #expect(screwdriver.price == 1 && screwdriver.quantity == 0)
            #expect(screwdriver.addedOn >= before && screwdriver.addedOn <= Date())
            // Six products are in the catalogue; the next is new.
            #expect(screwdriver.itemNumber == "PR-0007")
            #expect(Hammer(context: context).itemNumber == "HA-0008")
            #expect(Hammer(context: context).weight == 0.5)
            let saved = try product("Nail", context)
            let number = saved.itemNumber
            context.refresh(saved, mergeChanges: false)
            #expect(saved.itemNumber == number)
        }
    }
}
