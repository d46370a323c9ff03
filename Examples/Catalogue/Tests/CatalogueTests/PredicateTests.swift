import CoreData
import Testing

@testable import Catalogue

@Suite struct PredicateTests {
    @Test func fetchedPropertiesFindProducts() throws {
        try withCatalogue { context, _ in
            let glue = try product("Glue", context)
            #expect(names(glue.cheapProducts) == ["Nail", "Screw"])
            #expect(names(glue.cheaperProducts) == ["Nail", "Screw"])
            let hammer = try product("Light hammer", context)
            #expect(names(hammer.cheapProducts) == ["Nail", "Screw"])
            #expect(names(hammer.cheaperProducts) == ["Glue", "Nail", "Screw", "Tape"])
        }
    }

    @Test func averagesAreOverTheEntity() throws {
        try withCatalogue { context, _ in
            let glue = try product("Glue", context)
            #expect(names(glue.productsBelowAverage) == ["Glue", "Nail", "Screw", "Tape"])
            // Hammers cost 14.375 on average.
            let hammer = try product("Light hammer", context)
            #expect(
                names(hammer.productsBelowAverage) == ["Glue", "Light hammer", "Nail", "Screw", "Tape"])
            // Before a save as well.
            try product("Heavy hammer", context).price = 1
            context.refresh(glue, mergeChanges: false)
            #expect(names(glue.productsBelowAverage) == ["Glue", "Heavy hammer", "Nail", "Screw"])
        }
    }

    @Test func predicatesAreThoseOfTheModel() throws {
        try withCatalogue { context, _ in
            let model = try #require(context.persistentStoreCoordinator?.managedObjectModel)
            func format(_ name: String) -> String? {
                let property = model.entitiesByName["Product"]?.propertiesByName[name]
                return (property as? NSFetchedPropertyDescription)?.fetchRequest?.predicate?.formatString
            }
            #expect(format("cheapProducts") == "price < 1")
            #expect(format("cheaperProducts") == "price < $FETCH_SOURCE.price")
            #expect(format("productsBelowAverage") == "price < $FETCH_SOURCE.@avg.price")
            #expect(
                model.fetchRequestTemplate(forName: "madeInChinaByAOrB")?.predicate
                    == NSPredicate(
                        format: """
                            ((price < 5 OR price > 1) AND ANY countries.name == "China") AND \
                            (manufacturer.name == "Manufacturer A" OR manufacturer.name == "Manufacturer B")
                            """))
        }
    }

    @Test func templatesAreFunctions() throws {
        try withCatalogue { context, _ in
            #expect(
                try Shop.names(Product.madeInChinaByAOrB(), in: context) == ["Heavy hammer", "Nail", "Screw"])
            #expect(try Shop.names(Hammer.getHammersByWeight(weight: 1.2), in: context) == ["Heavy hammer"])
            #expect(try Shop.names(Hammer.getHammersByWeight(weight: 1), in: context).isEmpty)
            // The same by name.
            let model = try #require(context.persistentStoreCoordinator?.managedObjectModel)
            let request = try #require(
                model.fetchRequestFromTemplate(
                    withName: "getHammersByWeight", substitutionVariables: ["WEIGHT": 0.3]))
            #expect(try names(context.fetch(request) as? [Product]) == ["Light hammer"])
        }
    }

    @Test func subentitiesAreProducts() throws {
        try withCatalogue { context, _ in
            #expect(try context.count(for: Product.fetchRequest()) == 6)
            #expect(try Shop.names(Hammer.fetchRequest(), in: context) == ["Heavy hammer", "Light hammer"])
            let hammer = try #require(try product("Heavy hammer", context) as? Hammer)
            #expect(hammer.weight == 1.2 && hammer.price == 16.75 && hammer.averageStars == 4.5)
            #expect(hammer.value(forKey: "averageStars") as? Double == 4.5)
            #expect(try product("Nail", context).averageStars == nil)
        }
    }
}
