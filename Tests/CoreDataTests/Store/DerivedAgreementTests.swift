// Derived attributes are the same in every kind of store: random edits, each made in an SQLite store too.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DerivedAgreementTests {
    private static let derived = [
        "Author": ["bookCount", "pageSum", "searchName", "countryName"],
        "Poet": ["bookCount", "pageSum", "searchName", "countryName", "loud"],
        "Country": [], "Book": ["homeland", "tagCount"], "Tag": ["pageSum"],
    ]

    /// The same objects in two stores, under numbers.
    private final class Pair {
        let containers: [StoreContainer]
        var objects: [[NSManagedObject]] = [[], []]
        var entities: [String] = []
        var living: Set<Int> = []

        init(_ kind: StoreKind) throws {
            containers = [
                try StoreKind.sqlite.makeContainer(DerivedAttributeTests.model()),
                try kind.makeContainer(DerivedAttributeTests.model()),
            ]
        }

        func contexts(_ body: (Int, NSManagedObjectContext) throws -> Void) rethrows {
            for (side, container) in containers.enumerated() { try body(side, container.viewContext) }
        }

        func make(_ entity: String) {
            contexts { side, context in objects[side].append(context.make(entity)) }
            living.insert(entities.count)
            entities.append(entity)
        }

        func random(_ names: [String], _ generator: inout SeededGenerator) -> Int? {
            living.filter { names.contains(entities[$0]) }.sorted().randomElement(using: &generator)
        }

        func set(_ value: Any?, _ key: String, of number: Int) {
            for side in 0..<2 { objects[side][number].setValue(value, forKey: key) }
        }

        func point(_ key: String, of number: Int, to target: Int?) {
            for side in 0..<2 {
                objects[side][number].setValue(target.map { objects[side][$0] }, forKey: key)
            }
        }

        func delete(_ number: Int) {
            contexts { side, context in context.delete(objects[side][number]) }
            living.remove(number)
        }
    }

    private func edit(_ pair: Pair, _ generator: inout SeededGenerator) {
        let authors = ["Author", "Poet"]
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1:
            pair.make(["Author", "Poet", "Country", "Book", "Tag"].randomElement(using: &generator) ?? "Tag")
        case 2, 3:
            let name = ["Éluard", "straße", "ŠKODA", "i", nil].randomElement(using: &generator) ?? nil
            if let one = pair.random(authors + ["Country"], &generator) { pair.set(name, "name", of: one) }
        case 4:
            let pages =
                Int.random(in: 0...3, using: &generator) == 0
                ? nil : Int.random(in: -9...999, using: &generator)
            if let book = pair.random(["Book"], &generator) { pair.set(pages, "pages", of: book) }
        case 5:
            if let author = pair.random(authors, &generator) {
                pair.point("country", of: author, to: pair.random(["Country"], &generator))
            }
        case 6, 7:
            if let book = pair.random(["Book"], &generator) {
                pair.point("author", of: book, to: pair.random(authors, &generator))
            }
        case 8:
            guard let book = pair.random(["Book"], &generator), let tag = pair.random(["Tag"], &generator)
            else {
                return
            }
            for side in 0..<2 {
                let tags = pair.objects[side][book].mutableSetValue(forKey: "tags")
                let member = pair.objects[side][tag]
                if tags.contains(member) { tags.remove(member) } else { tags.add(member) }
            }
        default:
            if let one = pair.living.sorted().randomElement(using: &generator), pair.living.count > 6 {
                pair.delete(one)
            }
        }
    }

    private func compare(_ pair: Pair) {
        for number in pair.living.sorted() {
            for key in Self.derived[pair.entities[number]] ?? [] {
                let values = pair.objects.map { $0[number].value(forKey: key) as? AnyHashable }
                expect(values[0], equals: values[1], "\(pair.entities[number]) \(number) \(key)")
            }
            #expect(pair.objects.allSatisfy { !$0[number].hasChanges })
            if ["Author", "Poet"].contains(pair.entities[number]) {
                #expect(pair.objects.allSatisfy { $0[number].value(forKey: "changed") is Date })
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func randomEditsAgree(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        var generator = SeededGenerator(seed: 11)
        for round in 0..<40 {
            for _ in 0..<Int.random(in: 1...6, using: &generator) { edit(pair, &generator) }
            try pair.contexts { _, context in try context.save() }
            compare(pair)
            if round % 8 == 7 {
                pair.contexts { _, context in context.refreshAllObjects() }
                compare(pair)
            }
        }
        for format in [
            "bookCount > 0", "pageSum BETWEEN {1, 500}", "searchName == 'eluard'", "countryName != nil",
        ] {
            var counts: [Int] = []
            try pair.contexts { _, context in counts.append(try context.all("Author", format).count) }
            expect(counts[0], equals: counts[1], "\(format)")
        }
    }

    /// An object's own save is what sets the time; what triggers change in it isn't.
    @Test(arguments: StoreKind.allCases) func timesAreThoseOfSaves(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(DerivedAttributeTests.model())
        let context = container.viewContext
        let author = context.make("Author", ["name": "A"])
        try context.save()
        let first = try #require(author.value(forKey: "changed") as? Date)
        let book = context.make("Book", ["pages": 3])
        try context.save()
        expect(author.value(forKey: "changed") as? Date, equals: first)
        author.setValue("B", forKey: "name")
        try context.save()
        let second = try #require(author.value(forKey: "changed") as? Date)
        #expect(second > first)
        book.setValue(author, forKey: "author")
        try context.save()
        expect(author.value(forKey: "pageSum") as? Int, equals: 3)
    }

    @Test(arguments: [StoreKind.inMemory, .binary, .xml] + StoreKind.onServers)
    func batchesAndFilesHaveThem(_ kind: StoreKind)
        throws
    {
        let container = try kind.makeContainer(DerivedAttributeTests.model())
        let context = container.viewContext
        let author = context.make("Author", ["name": "Ümit"])
        try context.save()
        try context.batchInsert("Book", [["pages": 3, "author": author], ["pages": 4, "author": author]])
        try context.batchUpdate("Author", nil, ["name": "Žižek"])
        context.refreshAllObjects()
        #expect(
            author.value(forKey: "pageSum") as? Int == 7
                && author.value(forKey: "searchName") as? String == "zizek")
        try context.batchDelete("Book", "pages == 3")
        context.refreshAllObjects()
        expect(author.value(forKey: "bookCount") as? Int, equals: 1)
        if !kind.hasFile { return }
        let again = try kind.makeContainer(DerivedAttributeTests.model(), reopening: container)
        try expect(
            again.viewContext.all("Author", "bookCount == 1 AND searchName == 'zizek'").count, equals: 1)
    }

    @Test(arguments: StoreKind.allCases) func derivedValuesMayHaveToBeUnique(_ kind: StoreKind) throws {
        let model = DerivedAttributeTests.model()
        model.entitiesByName["Author"]?.uniquenessConstraints = [["searchName"]]
        let container = try kind.makeContainer(model)
        let context = container.viewContext
        _ = context.make("Author", ["name": "Ana"])
        try context.save()
        let other = context.make("Author", ["name": "ÁNA"])
        let error = #expect(throws: NSError.self) { try context.save() }
        expect(error?.code, equals: NSManagedObjectConstraintMergeError)
        other.setValue("Eva", forKey: "name")
        try context.save()
        try expect(context.all("Author", "searchName == 'eva'").count, equals: 1)
    }

    /// The unique value is derived from another attribute of the row: a policy resolves
    /// conflicts by that attribute.
    @Test(arguments: StoreKind.allCases, [1, 2, 3, 4])
    func policiesSettleDerivedValues(_ kind: StoreKind, _ policy: Int) throws {
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        let objectsWin = policy == 2 || policy == 3
        let model = DerivedAttributeTests.model()
        model.entitiesByName["Author"]?.uniquenessConstraints = [["searchName"]]
        let container = try kind.makeContainer(model)
        let context = container.viewContext
        context.mergePolicy = policies[policy]
        let ana = context.make("Author", ["name": "Ana"])
        let eva = context.make("Author", ["name": "Eva"])
        try context.save()
        let book = context.make("Book", ["pages": 7])
        book.setValue(context.make("Author", ["name": "ÁNA"]), forKey: "author")
        try context.save()
        expect(ana.value(forKey: "name") as? String, equals: (objectsWin ? "ÁNA" : "Ana"))
        #expect(ana.value(forKey: "pageSum") as? Int == 7 && book.value(forKey: "author") as? NSObject == ana)
        try expect(context.all("Author").count, equals: 2)
        eva.setValue("aná", forKey: "name")
        try context.save()
        try expect(context.all("Author").count, equals: (objectsWin ? 1 : 2))
        expect(eva.value(forKey: "name") as? String, equals: (objectsWin ? "aná" : "Eva"))
        expect(eva.value(forKey: "searchName") as? String, equals: (objectsWin ? "ana" : "eva"))
        expect(eva.value(forKey: "pageSum") as? Int, equals: (objectsWin ? 7 : 0))
        // Two of one save, and two that exchange their values.
        _ = ["zoë", "ZOE"].map { context.make("Author", ["name": $0]) }
        let ugo = context.make("Author", ["name": "Ugo"])
        try context.save()
        try expect(context.all("Author", "searchName == 'zoe'").count, equals: 1)
        let zoe = try context.all("Author", "searchName == 'zoe'")[0]
        zoe.setValue("UGO", forKey: "name")
        ugo.setValue("Zoe", forKey: "name")
        try context.save()
        expect(zoe.value(forKey: "searchName") as? String, equals: "ugo")
        expect(ugo.value(forKey: "searchName") as? String, equals: "zoe")
        #expect(!context.hasChanges)
        withExtendedLifetime(container) {}
    }

    @Test(arguments: StoreKind.allCases) func otherFormsAreRefused(_ kind: StoreKind) throws {
        let model = DerivedAttributeTests.model()
        model.entitiesByName["Book"]?.properties.append(
            DerivedAttributeTests.derived("worst", .integer64AttributeType, "tags.@max.pageSum"))
        let error = #expect(throws: NSError.self) { try kind.makeContainer(model) }
        expect(error?.localizedFailureReason?.contains("derived attribute"), equals: true)
    }

    @Test(arguments: StoreKind.allCases) func elementsOfCompositesAreSources(_ kind: StoreKind) throws {
        let position = NSCompositeAttributeDescription(
            "position", elements: NSAttributeDescription.all(("latitude", .doubleAttributeType)))
        let address = NSCompositeAttributeDescription(
            "address",
            elements: NSAttributeDescription.all(
                ("city", .stringAttributeType), ("number", .integer32AttributeType))
                + [position])
        let place = NSEntityDescription("Place", [address])
        NSRelationshipDescription.connect(place, "parts", .many, place, "whole", .one)
        let derived = DerivedAttributeTests.derived
        place.properties += [
            derived("town", .stringAttributeType, "canonical:(address.city)"),
            derived("height", .doubleAttributeType, "whole.address.position.latitude"),
            derived("sum", .integer64AttributeType, "parts.@sum.address.number"),
        ]
        place.uniquenessConstraints = [["town"]]
        let model = NSManagedObjectModel()
        model.entities = [place]
        let container = try kind.makeContainer(model)
        let context = container.viewContext
        let ulm = context.make("Place", ["address": ["city": "Ülm", "position": ["latitude": 48.5]]])
        let part = context.make("Place", ["whole": ulm, "address": ["number": 7]])
        try context.save()
        #expect(ulm.text("town") == "ulm" && ulm.value(forKey: "sum") as? Int == 7)
        #expect(part.text("town") == nil && part.value(forKey: "height") as? Double == 48.5)
        ulm.setValue(49.5, forKeyPath: "address.position.latitude")
        part.setValue(8, forKeyPath: "address.number")
        try context.save()
        #expect(ulm.value(forKey: "sum") as? Int == 8 && part.value(forKey: "height") as? Double == 49.5)
        context.mergePolicy = NSMergePolicy.error
        _ = context.make("Place", ["address": ["city": "ulm"]])
        expect(thrownError { try context.save() }?.code, equals: NSManagedObjectConstraintMergeError)
        context.rollback()
        if kind == .atomic { return }
        try context.batchUpdate("Place", nil, ["address.number": 9])
        context.refreshAllObjects()
        expect(ulm.value(forKey: "sum") as? Int, equals: 9)
    }
}
