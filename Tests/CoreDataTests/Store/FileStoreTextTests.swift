// Texts in stores whose file is read and written whole.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FileStoreTextTests {
    @Test(arguments: FileStoreTests.kinds) func textsComeBackToTheByte(_ kind: StoreKind) throws {
        let texts = ["a\rb", "a\r\nb\r", "\r", "\t\n ", " a ", "&#13;", "]]>", "\\u000d"]
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run {
            _ = texts.enumerated().map { context.make("Person", ["name": $1, "age": $0]) }
            container.store.metadata["remark"] = texts.joined()
            try context.save()
        }
        let reader = try kind.makeContainer(reopening: container).newBackgroundContext()
        try expect(
            reader.run { try reader.all("Person", sort: "age").map { Array(($0.text("name") ?? "").utf8) } },
            equals: texts.map { Array($0.utf8) })
        expect(
            reader.persistentStoreCoordinator?.persistentStores[0].metadata["remark"] as? String,
            equals: texts.joined())
    }
}
