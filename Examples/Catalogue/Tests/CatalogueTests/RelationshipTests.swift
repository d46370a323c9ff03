import CoreData
import Testing

@testable import Catalogue

@Suite struct RelationshipTests {
    @Test func relatedProductsAreRelatedBothWays() throws {
        try withCatalogue { context, file in
            let nail = try product("Nail", context)
            #expect(names(Array(nail.relatedProducts)) == ["Heavy hammer", "Light hammer"])
            let heavy = try product("Heavy hammer", context)
            #expect(names(Array(heavy.relatedProducts)) == ["Light hammer", "Nail"])
            #expect(try names(Array(product("Tape", context).relatedProducts)) == ["Screw"])
            nail.removeFromRelatedProducts(heavy)
            #expect(names(Array(heavy.relatedProducts)) == ["Light hammer"])
            try context.save()
            let other = try Shop(file: file).container.newBackgroundContext()
            try other.performAndWait {
                let (nail, heavy) = (try product("Nail", other), try product("Heavy hammer", other))
                #expect(names(Array(nail.relatedProducts)) == ["Light hammer"])
                #expect(names(Array(heavy.relatedProducts)) == ["Light hammer"])
            }
        }
    }

    @Test func nullify() throws {
        try withCatalogue { context, file in
            let nail = try product("Nail", context)
            let heavy = try product("Heavy hammer", context)
            context.delete(nail)
            try context.save()
            #expect(names(Array(heavy.relatedProducts)) == ["Light hammer"])
            #expect(
                names(Array(try #require(heavy.countries.first).products)) == [
                    "Glue", "Heavy hammer", "Screw",
                ])
            #expect(try count("ZPRODUCT", file) == "5")
            #expect(try count("ZCOUNTRY", file) == "2")
            // Portugal may leave the screw to China, but is the only country of the tape.
            let portugal = try #require(try product("Tape", context).countries.first)
            context.delete(portugal)
            let error = #expect(throws: NSError.self) { try context.save() }
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            #expect(details.count == 2)
            #expect(details.allSatisfy { $0.code == NSValidationRelationshipLacksMinimumCountError })
        }
    }

    @Test func cascade() throws {
        try withCatalogue { context, file in
            #expect(try count("ZREVIEW", file) == "2")
            context.delete(try product("Heavy hammer", context))
            try context.save()
            #expect(try count("ZREVIEW", file) == "0")
            #expect(try count("ZPRODUCT", file) == "5")
        }
    }

    @Test func deny() throws {
        try withCatalogue { context, file in
            let maker = try #require(try product("Nail", context).manufacturer)
            context.delete(maker)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "products")
            #expect(try count("ZMANUFACTURER", file) == "2")
            context.rollback()
            // Without products it may go.
            for item in maker.products { item.manufacturer = nil }
            context.delete(maker)
            try context.save()
            #expect(try rows("SELECT ZNAME FROM ZMANUFACTURER", in: file) == [["Manufacturer B"]])
        }
    }

    @Test func noAction() throws {
        try withCatalogue { context, file in
            context.delete(try product("Heavy hammer", context))
            try context.save()
            // The entry stays, with the key of a row that is gone.
            let keys = try rows(
                "SELECT ZPRODUCT IS NULL, ZPRODUCT IN (SELECT Z_PK FROM ZPRODUCT) FROM ZLOGENTRY", in: file)
            #expect(keys == [["0", "0"]])
            let other = try Shop(file: file).container.newBackgroundContext()
            try other.performAndWait {
                let entry = try #require(try other.fetch(LogEntry.fetchRequest()).first)
                #expect(entry.text == "New in the catalogue")
                let gone = try #require(entry.product)
                let error = #expect(throws: NSError.self) {
                    try other.existingObject(with: gone.objectID)
                }
                #expect(error?.code == NSManagedObjectReferentialIntegrityError)
            }
        }
    }
}
