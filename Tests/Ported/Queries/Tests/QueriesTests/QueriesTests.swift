import CoreData
import Foundation
import XCTest

@testable import Queries

final class QueriesTests: XCTestCase {
    private func store() throws -> NSManagedObjectContext {
        let url = Bundle.module(of: Note.self).url(forResource: "Notes", withExtension: "momd")
        let model = try XCTUnwrap(NSManagedObjectModel(contentsOf: try XCTUnwrap(url)))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
            options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let folder = Folder(context: context)
        folder.name = "Home"
        for (number, text) in ["Été", "ete", "Winter", "Spring"].enumerated() {
            let note = Note(context: context)
            note.text = text
            note.code = "\(number + 8)"
            note.urgency = number.isMultiple(of: 2) ? .high : .low
            if number > 1 { note.folder = folder }
            for name in ["red", "blue", "red"].prefix(number) {
                let tag = Tag(context: context)
                tag.name = name
                note.tags.insert(tag)
            }
        }
        try context.save()
        return context
    }

    /// Key paths have keys before a model is loaded, and without an object.
    func testKeyPathsHaveKeys() {
        XCTAssertEqual((\Note.text)._kvcKeyPathString, "text")
        XCTAssertEqual((\Note.tags)._kvcKeyPathString, "tags")
        XCTAssertEqual((\Note.folder?.name)._kvcKeyPathString, "folder.name")
        XCTAssertEqual(NSSortDescriptor(keyPath: \Note.written, ascending: false).key, "written")
        XCTAssertEqual(NSExpression(forKeyPath: \Note.folder).keyPath, #keyPath(Note.folder))
    }

    func testComparisons() throws {
        let context = try store()
        XCTAssertEqual(try Query<Note>().filter(\Note.text == "Winter").count(context), 1)
        XCTAssertEqual(try Query<Note>().filter(\Note.text ~= "été").count(context), 2)
        XCTAssertEqual(try Query<Note>().filter(\Note.folder?.name == "Home").count(context), 2)
        XCTAssertEqual(try Query<Note>().filter(\Note.folder == nil).count(context), 2)
        let late = Query<Note>().filter(\Note.priority > 0 && !(\Note.text == "Winter"))
        XCTAssertEqual(try late.all(context).map { $0.text }, ["Été"])
        let either = Query<Note>().filter(\Note.text == "Spring" || \Note.text == "ete").sorted(
            by: \Note.text)
        XCTAssertEqual(try either.all(context).map { $0.text }, ["Spring", "ete"])
        XCTAssertEqual(try either.prefix(1).all(context).count, 1)
        XCTAssertEqual(try Query<Note>().sum(\Note.priority, context), 10)
    }

    func testSubqueriesAndCollections() throws {
        let context = try store()
        let reds = NSPredicate.atLeast(1, of: \Note.tags, where: "name", is: "red")
        XCTAssertEqual(reds.predicateFormat, #"count:(SUBQUERY(tags, $each, $each.name == "red")) >= 1"#)
        XCTAssertEqual(try Query<Note>().filter(reds).count(context), 3)
        // Numbers beside text compare as text.
        XCTAssertEqual(try Query<Note>().filter(\Note.code << [9, 10]).count(context), 2)
        let format = "\(#keyPath(Note.tags)).@count > %d AND \(#keyPath(Note.folder.name)) BEGINSWITH[c] %@"
        XCTAssertEqual(try Query<Note>().filter(NSPredicate(format: format, 1, "h")).count(context), 2)
    }

    func testTextOfPredicates() throws {
        let both = \Note.text == "a" && \Note.priority > 3
        XCTAssertEqual(both.predicateFormat, #"text == "a" AND priority > 3"#)
        XCTAssertEqual((!both).predicateFormat, #"NOT (text == "a" AND priority > 3)"#)
        XCTAssertEqual(both, NSPredicate(format: #"text == "a" AND priority > 3"#))
        let null = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "code"),
            rightExpression: NSExpression(forConstantValue: NSNull()), modifier: .direct, type: .equalTo,
            options: [])
        XCTAssertEqual(null.predicateFormat, "code == <null>")
        XCTAssertTrue(null.rightExpression.constantValue is NSNull)
        let parts = try XCTUnwrap(both as? NSCompoundPredicate)
        XCTAssertEqual(parts.compoundPredicateType, .and)
        XCTAssertEqual(
            (parts.subpredicates[1] as? NSComparisonPredicate)?.predicateOperatorType, .greaterThan)
    }

    func testFunctionsOfValues() {
        let length = NSExpression(
            forFunction: NSExpression(forKeyPath: "text"), selectorName: "length", arguments: nil)
        XCTAssertEqual(length.expressionValue(with: ["text": "four"], context: nil) as? Int, 4)
        let upper = NSPredicate(format: "FUNCTION(text, 'uppercaseString') == 'FOUR'")
        XCTAssertTrue(upper.evaluate(with: ["text": "four"]))
    }
}
