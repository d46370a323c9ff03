// The member that a relationship keeps when it becomes to-one, where some members can't stay.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ChosenMemberMigrationTests {
    enum Form: CaseIterable {
        case joinTable, foreignKey
    }

    private func model(_ form: Form, isOld: Bool) -> NSManagedObjectModel {
        let (reader, book, comic) = (
            NSEntityDescription("Reader"),
            NSEntityDescription("Book", [NSAttributeDescription("title", .string)]),
            NSEntityDescription("Comic", isOld ? [] : [NSAttributeDescription("title", .string)])
        )
        if isOld { book.subentities = [comic] }
        NSRelationshipDescription.connect(
            reader, isOld ? "books" : "book", isOld ? .ordered : .one, book, "readers",
            form == .joinTable ? .many : .one)
        reader.relationshipsByName["book"]?.renamingIdentifier = "books"
        let model = NSManagedObjectModel()
        model.entities = [reader, book, comic]
        return model
    }

    /// Comics leave the hierarchy of books: whoever had a comic first keeps the book behind it.
    @Test(arguments: StoreKind.inPlace, Form.allCases)
    func theFirstThatCanStayIsKept(_ kind: StoreKind, _ form: Form) throws {
        let store = try MigratedStore(kind)
        try store.fill(model(form, isOld: true)) { opened in
            let books = [("Comic", "C"), ("Book", "B"), ("Book", "A")].map {
                opened.context.make($0, ["title": $1])
            }
            opened.context.make("Reader").setValue(NSOrderedSet(array: books), forKey: "books")
        }
        try store.migrate(to: model(form, isOld: false)) { migrated in
            let titles = try migrated.context.all("Reader").map {
                ($0.value(forKey: "book") as? NSManagedObject)?.text("title")
            }
            expect(titles, equals: ["B"])
        }
    }
}
