// Regular expressions, which the server answers as the engine for files does.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLPatternsTests {
    private static let texts = [
        "", "a", "ab", "A1", "12", "1\n2", "12\n", "٣٤", "x٣", "７", "a|b", "|", "-", "5-6", "²", "𝟙", "Ⅷ",
        "^a$", "b", "d",
    ]
    private let context: NSManagedObjectContext

    init() throws {
        context = try Shelf().context()
        let context = context
        try context.performAndWait {
            for text in Self.texts {
                NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
                    .setValue(text, forKey: "title")
            }
            try context.save()
        }
    }

    @Test(arguments: [
        "^a$", "^ab?$", "^a|^b$", "^$", #"\d+"#, #"^\d+$"#, #"[a-x]?\d"#, #"[\-\d]+"#, #"[^\d]+"#,
        #"^[A-Z]\d$|\|"#, #"\d.\d"#,
        #"\d\n\d"#, #"\^a\$"#, #"(\d|-)*"#, #"\d{2}"#,
    ])
    func patternsFindWhatTheyFindInMemory(pattern: String) throws {
        let predicate = NSPredicate(format: "title MATCHES %@", pattern)
        let found = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.predicate = predicate
            return try context.fetch(request).map { $0.value(forKey: "title") as? String ?? "nil" }
        }
        let expected = Self.texts.filter { predicate.evaluate(with: ["title": $0]) }
        expect(found.sorted(), equals: expected.sorted())
        #expect(!expected.isEmpty)
    }
}
