// Batches and derived attributes: what stores compute stays right whatever a batch writes.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct BatchDerivedTests {
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType] + StoreKind.serverTypes

    /// Authors with unique names, and one that has two books.
    private func filled(_ type: String) throws -> TestStack {
        let model = DerivedAttributeTests.model()
        model.entitiesByName["Author"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(type: type, model: model)
        try stack.context.run { () throws in
            let country = stack.context.make("Country", ["name": "France"])
            let author = stack.context.make("Author", ["name": "Éluard", "country": country])
            for pages in [10, 20] { _ = stack.context.make("Book", ["pages": pages, "author": author]) }
            try stack.context.save()
        }
        return stack
    }

    /// "bookCount pageSum searchName countryName" of all authors.
    private func authors(_ context: NSManagedObjectContext) throws -> [String] {
        context.reset()
        return try context.all("Author", sort: "name").map { author in
            ["bookCount", "pageSum", "searchName", "countryName"].map {
                author.value(forKey: $0).map { "\($0)" } ?? "-"
            }.joined(separator: " ")
        }
    }

    @Test(arguments: types, [false, true])
    func rowsThatGiveWayKeepThem(_ type: String, byObject: Bool) throws {
        let stack = try filled(type)
        let context = stack.context
        try context.run { () throws in
            context.mergePolicy =
                byObject ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.overwrite
            let request: NSBatchInsertRequest
            if byObject {
                var count = 0
                request = NSBatchInsertRequest(
                    entityName: "Author",
                    managedObjectHandler: { author in
                        author.setValue("Éluard", forKey: "name")
                        count += 1
                        return count > 1
                    })
            } else {
                request = NSBatchInsertRequest(entityName: "Author", objects: [["name": "Éluard"]])
            }
            try context.execute(request)
            try expect(authors(context), equals: ["2 30 eluard France"])
            let changed = try context.all("Author").first?.value(forKey: "changed")
            #expect(changed is Date)
        }
    }

    /// A value that a client writes into a derived attribute is no value of a row's.
    @Test(arguments: types) func theyCannotBeWritten(_ type: String) throws {
        let stack = try filled(type)
        let context = stack.context
        try context.run { () throws in
            var count = 0
            try context.execute(
                NSBatchInsertRequest(
                    entityName: "Author",
                    managedObjectHandler: { author in
                        author.setValue("Zola", forKey: "name")
                        author.setValue(7, forKey: "bookCount")
                        author.setValue("x", forKey: "searchName")
                        count += 1
                        return count > 1
                    }))
            try expect(authors(context), equals: ["0 0 zola -", "2 30 eluard France"])
            let author = try #require(try context.all("Author", "name == 'Éluard'").first)
            author.setValue(9, forKey: "bookCount")
            author.setValue("y", forKey: "searchName")
            author.setValue("z", forKey: "countryName")
            try context.save()
            expect(author.value(forKey: "bookCount") as? Int, equals: 2)
            #expect(author.text("searchName") == "eluard" && author.text("countryName") == "France")
            let zola = context.make("Author", ["name": "Perec", "bookCount": 3, "searchName": "no"])
            try context.save()
            #expect(zola.value(forKey: "bookCount") as? Int == 0 && zola.text("searchName") == "perec")
            #expect(!context.hasChanges)
        }
    }

    @Test(arguments: types) func relationshipsThatBatchesChangeCount(_ type: String) throws {
        let stack = try filled(type)
        let context = stack.context
        try context.run { () throws in
            let other = context.make("Author", ["name": "Zola"])
            try context.save()
            try context.batchUpdate("Book", "pages == 20", ["author": other.objectID])
            try expect(authors(context), equals: ["1 20 zola -", "1 10 eluard France"])
            try context.batchUpdate("Book", "pages == 10", ["author": NSNull()])
            try expect(authors(context), equals: ["1 20 zola -", "0 0 eluard France"])
            try context.batchDelete("Book", "author.name == 'Zola'")
            try expect(authors(context), equals: ["0 0 zola -", "0 0 eluard France"])
            try context.batchUpdate("Country", nil, ["name": "Gaul"])
            try expect(authors(context), equals: ["0 0 zola -", "0 0 eluard Gaul"])
            try context.batchDelete("Country")
            try expect(authors(context), equals: ["0 0 zola -", "0 0 eluard -"])
        }
    }

    /// Values that must be unique are derived: the policy settles them as any others.
    @Test(arguments: types, [0, 1, 2, 3, 4])
    func derivedValuesMayBeWhatIsUnique(_ type: String, _ policy: Int) throws {
        let model = DerivedAttributeTests.model()
        model.entitiesByName["Author"]?.uniquenessConstraints = [["searchName"]]
        let stack = try TestStack(type: type, model: model)
        let context = stack.context
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        context.mergePolicy = policies[policy]
        try context.run { () throws in
            _ = context.make("Author", ["name": "Éluard"])
            try context.save()
            let rows = [["name": "ELUARD"], ["name": "Zola"], ["name": "zola"]]
            if policy == 0 {
                let error = #expect(throws: CocoaError.self) { try context.batchInsert("Author", rows) }
                expect(error?.code.rawValue, equals: NSManagedObjectConstraintMergeError)
                try expect(authors(context), equals: ["0 0 eluard -"])
                return
            }
            let overwrites = policy == 2 || policy == 3
            try expect(context.batchInsert("Author", rows), equals: (overwrites ? 3 : 1))
            context.reset()
            try expect(
                context.all("Author", sort: "searchName").map { $0.text("name") },
                equals: (overwrites ? ["ELUARD", "zola"] : ["Éluard", "Zola"]))
        }
    }
}
