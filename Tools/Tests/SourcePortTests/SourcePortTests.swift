// The porting of Core Data code as apps have it.

import Foundation
import SourcePort
import Testing

@Suite struct SourcePortTests {
    private func ported(_ text: String, _ entityNames: [String: String] = [:]) -> String {
        SourcePort(entityNames: entityNames).ported(text).text
    }

    private func remarks(_ text: String) -> [String] {
        SourcePort().ported(text).remarks.map(\.description)
    }

    // MARK: Attributes

    @Test func attributesAloneOnTheirLineAreWrapped() {
        #expect(
            ported(
                """
                @objc(Person)
                public class Person: NSManagedObject {
                    @objc
                    func rename() {}
                }
                """) == """
                    #if canImport(ObjectiveC)
                    @objc(Person)
                    #endif
                    public class Person: NSManagedObject {
                        #if canImport(ObjectiveC)
                        @objc
                        #endif
                        func rename() {}
                    }
                    """)
    }

    @Test func attributesBeforeADeclarationMoveAboveIt() {
        #expect(
            ported(
                """
                @objc(Person) final class Person: NSManagedObject {
                    @objc dynamic var age: Int { 3 }
                    @available(iOS 13, *) public @objc func rename() {}
                    @NSManaged @objc(isDone) var done: Bool
                }
                """) == """
                    #if canImport(ObjectiveC)
                    @objc(Person)
                    #endif
                    final class Person: NSManagedObject {
                        #if canImport(ObjectiveC)
                        @objc
                        #endif
                        dynamic var age: Int { 3 }
                        #if canImport(ObjectiveC)
                        @objc
                        #endif
                        @available(iOS 13, *) public func rename() {}
                        #if canImport(ObjectiveC)
                        @objc(isDone)
                        #endif
                        @NSManaged var done: Bool
                    }
                    """)
    }

    @Test func attributesInTheMiddleOfALineGetLinesOfTheirOwn() {
        #expect(
            ported("class Person: NSManagedObject { @objc func rename() {} }") == """
                class Person: NSManagedObject {\u{20}
                #if canImport(ObjectiveC)
                @objc
                #endif
                func rename() {} }
                """)
    }

    @Test func whatIsConditionalAlreadyStays() {
        let sources = [
            "#if canImport(ObjectiveC)\n@objc(Person)\n#endif\nclass Person {}",
            "#if os(iOS) || os(macOS)\nlet key = #keyPath(Person.name)\n#endif",
            "#if !canImport(ObjectiveC)\nlet a = 1\n#else\n@objc class A: NSObject {}\n#endif",
            "#if os(Linux)\nlet a = 1\n#else\n@objcMembers class A: NSObject {}\n#endif",
        ]
        for source in sources { #expect(ported(source) == source) }
        let other = "#if !canImport(ObjectiveC)\n@objc class A {}\n#endif"
        #expect(ported(other) != other)
    }

    @Test func portingTwiceChangesNothingMore() {
        let once = ported(Self.app)
        #expect(once != Self.app)
        #expect(ported(once) == once)
    }

    @Test func commentsAndStringsStay() {
        let source = """
            // @objc in a comment, #keyPath(A.b)
            /* @objc /* nested */ @objc */
            let text = "@objc \\(names.joined(separator: "@objc")) #keyPath(A.b)"
            let raw = #"@objc "quoted" #keyPath(A.b)"#
            let block = \"\"\"
                @objc func a() {}
                \"\"\"
            """
        #expect(ported(source) == source)
    }

    // MARK: Key paths and selectors

    @Test func keyPathsBecomeStringsOrSwiftKeyPaths() {
        #expect(
            ported(
                """
                request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Person.name), ascending: true)]
                let by = NSSortDescriptor(key: #keyPath(Person.boss.name), ascending: false)
                let how = NSSortDescriptor(key: #keyPath(Person.name), ascending: true, selector: #selector(a(_:)))
                let predicate = NSPredicate(format: "%K == %@", #keyPath(Person.address.city), city)
                let nested = #keyPath(Model.Person.`default`)
                let own = #keyPath(name)
                let kind = NSStringFromSelector(#selector(getter: Person.kind))
                let call = "FUNCTION($a, \\\"\\(#selector(NSManagedObject.value(forKey:)))\\\", \\(#selector(getter: A.b)))"
                let set = NSStringFromSelector(#selector(setValue(_:forKey:)))
                let done = NSStringFromSelector(#selector(Person.finish))
                """) == """
                    request.sortDescriptors = [NSSortDescriptor(keyPath: \\Person.name, ascending: true)]
                    let by = NSSortDescriptor(key: "boss.name", ascending: false)
                    let how = NSSortDescriptor(key: "name", ascending: true, selector: #selector(a(_:)))
                    let predicate = NSPredicate(format: "%K == %@", "address.city", city)
                    let nested = "default"
                    let own = "name"
                    let kind = "kind"
                    let call = "FUNCTION($a, \\\"\\("valueForKey:")\\\", \\("b"))"
                    let set = "setValue:forKey:"
                    let done = "finish"
                    """)
    }

    @Test func otherSelectorsArePointedOut() {
        let found = remarks(
            """
            let how = NSSortDescriptor(key: "name", ascending: true, selector: #selector(a(_:)))
            let timer = Timer(target: self, selector: Selector("tick"))
            """)
        #expect(found.count == 2)
        #expect(found[0].hasPrefix("Source.swift:1: note: #selector needs the Objective-C runtime"))
        #expect(found[1].hasPrefix("Source.swift:2: note: "))
    }

    @Test func observersBecomeBlocks() {
        let source = """
            func start() {
                NotificationCenter.default.addObserver(
                    self, selector: #selector(contextSaved(_:)), name: .NSManagedObjectContextDidSave,
                    object: context)
                center.addObserver(self, selector: #selector(Self.reset), name: name(for: a, b), object: nil)
                center.addObserver(self, selector: #selector(unknown(_:)), name: .other, object: nil)
            }
            @objc func contextSaved(_ notification: Notification) {}
            @objc func reset() {}
            """
        let text = ported(source)
        #expect(
            text.contains(
                "    _ = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: "
                    + "context, queue: nil) { [weak self] notification in self?.contextSaved(notification) }\n"
            ))
        #expect(
            text.contains(
                "    _ = center.addObserver(forName: name(for: a, b), object: nil, queue: nil) { [weak self] _ in "
                    + "self?.reset() }\n"))
        #expect(text.contains("#selector(unknown(_:))"))
        let notes = remarks(source)
        #expect(notes.count == 1)
        let removing = remarks(source + "\nfunc end() { center.removeObserver(self) }")
        #expect(removing.filter { $0.contains("keep what addObserver returns") }.count == 2)
        #expect(notes.filter { $0.contains(":6: note: #selector") }.count == 1)
        #expect(remarks(source + "\ndeinit { center.removeObserver(self) }").count == 1)
    }

    @Test func observersPassNotificationsOnAsTheirMethodsTakeThem() {
        let text = ported(
            """
            center.addObserver(self, selector: #selector(saved(note:)), name: .saved, object: nil)
            func saved(note: NSNotification) {}
            """)
        #expect(text.contains("self?.saved(note: notification as NSNotification) }\n"))
    }

    @Test func theDefaultComparatorIsLeftOut() {
        #expect(
            ported("let a = [SortDescriptor(\\A.name, comparator: .localizedStandard, order: .reverse)]")
                == "let a = [SortDescriptor(\\A.name, order: .reverse)]")
        for text in [
            "SortDescriptor(\\A.name, comparator: .lexical)", "f(a, comparator: .localizedStandard)",
        ] {
            #expect(ported(text) == text)
        }
    }

    @Test func selectorsOfSortDescriptorsBecomeValues() {
        let source = """
            let a = NSSortDescriptor(
                key: #keyPath(Person.name), ascending: true,
                selector: #selector(NSString.localizedStandardCompare(_:)))
            let b = [NSSortDescriptor.init(key: "b", ascending: f(1), selector: #selector(NSNumber.compare))]
            let c = sorted(selector: #selector(NSString.compare(_:)))
            let d = NSSortDescriptor(key: "d", ascending: true, selector: #selector(Person.ranks(_:)))
            """
        #expect(
            ported(source) == """
                let a = NSSortDescriptor(
                    key: "name", ascending: true,
                    selector: .localizedStandardCompare)
                let b = [NSSortDescriptor.init(key: "b", ascending: f(1), selector: .compare)]
                let c = sorted(selector: #selector(NSString.compare(_:)))
                let d = NSSortDescriptor(key: "d", ascending: true, selector: #selector(Person.ranks(_:)))
                """)
        #expect(
            remarks(source).map { $0.prefix(22) } == ["Source.swift:5: note: ", "Source.swift:6: note: "])
    }

    // MARK: Requests and predicates

    @Test func castRequestsAreMadeWithTheirType() {
        let source = """
            let all = try context.fetch(Person.fetchRequest() as! NSFetchRequest<Person>)
            let other = request as! NSFetchRequest<Person>
            let wrong = Person.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>
            """
        #expect(
            ported(source).contains(
                "let all = try context.fetch(NSFetchRequest<Person>(entityName: \"Person\"))\n"))
        #expect(ported(source, ["Person": "CDPerson"]).contains("(entityName: \"CDPerson\")"))
        #expect(ported(source).contains("let other = request.returning(Person.self)\n"))
        #expect(ported(source).hasSuffix("= Person.fetchRequest().returning(NSFetchRequestResult.self)"))
        #expect(remarks(source).isEmpty)
    }

    @Test func requestsOfGenericParametersKeepTheirClass() {
        let source = """
            func all<T: NSManagedObject>(_ type: T.Type) -> NSFetchRequest<T> { T.fetchRequest() as! NSFetchRequest<T> }
            func some<A, B>(_ a: A) -> Any where A: Base, B: Base { B.fetchRequest() as! NSFetchRequest<B> }
            extension Managed { static var all: Any { Self.fetchRequest() as! NSFetchRequest<Self> } }
            """
        let text = ported(source)
        for name in ["T", "B", "Self"] {
            #expect(text.contains("{ \(name).fetchRequest().returning(\(name).self) }"))
        }
        #expect(!text.contains("entityName:"))
    }

    @Test func controllersAreCastAsObjects() {
        let source = """
            guard let people = controller as? NSFetchedResultsController<Person> else { return }
            let some = (controller as! NSFetchedResultsController<Person>).fetchedObjects
            let done = controller as AnyObject as? NSFetchedResultsController<Person>
            """
        #expect(
            ported(source) == """
                guard let people = controller as AnyObject as? NSFetchedResultsController<Person> else { return }
                let some = (controller as AnyObject as! NSFetchedResultsController<Person>).fetchedObjects
                let done = controller as AnyObject as? NSFetchedResultsController<Person>
                """)
        #expect(remarks(source).isEmpty)
        let wide = "let all = people as! NSFetchedResultsController<NSFetchRequestResult>"
        #expect(ported(wide) == wide && remarks(wide).count == 1)
    }

    @Test func modulesOfApplesSystemsAreImportedThere() {
        let source = "import CoreData\nimport UIKit\nimport Foundation\n"
        #expect(
            ported(source)
                == "import CoreData\n#if canImport(UIKit)\nimport UIKit\n#endif\nimport Foundation\n")
        #expect(remarks(source).isEmpty)
        #expect(
            remarks(source + "let view = UIView()\n").first?.contains(
                "Source.swift:2: note: only Apple's systems have UIKit") == true)
    }

    @Test func modulesThatAreCoveredAreNotPointedOut() {
        #expect(remarks("import CoreGraphics\nlet a: CGFloat = 1\nlet b = CGRect.zero").isEmpty)
        #expect(remarks("import CoreGraphics\nlet a: CGColor").count == 1)
        #expect(remarks("import ObjectiveC\nlet a = 1").isEmpty)
        #expect(remarks("import ObjectiveC\nlet a = class_copyMethodList(b, c)").count == 1)
    }

    @Test(arguments: [
        "HealthKit", "Contacts", "CloudKit", "WidgetKit", "os", "StoreKit", "UserNotifications", "Security",
    ])
    func modulesOfAllKitsAreKnown(_ module: String) {
        #expect(ported("import \(module)") == "#if canImport(\(module))\nimport \(module)\n#endif")
    }

    @Test func importsOfPartsAndWithAttributesAreKnown() {
        for line in [
            "import class UIKit.UIView", "import UIKit.UIGestureRecognizerSubclass",
            "@preconcurrency import UIKit",
            "@_exported import UIKit",
        ] {
            #expect(ported(line) == "#if canImport(UIKit)\n\(line)\n#endif")
        }
    }

    @Test(arguments: ["Foundation", "CoreData", "Dispatch", "XCTest", "UIKitExtras"])
    func modulesOfOtherSystemsStay(_ module: String) {
        #expect(ported("import \(module)") == "import \(module)")
    }

    @Test func copiesAreNotPointedOut() {
        #expect(remarks("let copy = request.copy() as! NSFetchRequest<Person>").isEmpty)
        #expect(remarks("let other = make() as? NSFetchRequest<Person>").isEmpty)
    }

    @Test(arguments: [
        "switch value { case let request as NSFetchRequest<Person>: break }",
        "if case let request as NSFetchRequest<Person> = value {}",
        "switch value { case is NSFetchRequest<Person>: break }", "let a = value is NSFetchRequest<Person>",
    ]) func patternsOfRequestsArePointedOut(_ code: String) {
        #expect(remarks(code).contains { $0.contains("only a request that was made with that type") })
        #expect(remarks("let other = request as NSFetchRequest<Person>").isEmpty)
    }

    @Test func filesWithoutCoreDataArePortedAndKeepTheirPermissions() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Script.swift")
        try Data("import UIKit\nlet one = 1\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        let results = try SourcePort.results(at: [folder])
        #expect(results.map(\.changedLines) == [2])
        for result in results { try result.write() }
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("#if canImport(UIKit)"))
        let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect((permissions as? NSNumber)?.intValue == 0o755)
    }

    @Test func optionalRequirementsArePointedOut() {
        #expect(
            remarks("@objc protocol P { @objc optional func saved() }").contains {
                $0.contains("optional requirements need")
            })
    }

    @Test func sourcesThatEndAnywhereDontTrap() {
        let text = Self.app
        for length in stride(from: 0, to: text.utf8.count, by: 7) {
            _ = ported(String(decoding: Array(text.utf8).prefix(length), as: UTF8.self))
        }
    }

    /// A class in the manner of apps that grew with Core Data.
    static let app = """
        import UIKit
        import CoreData

        @objc(Expense)
        public class Expense: NSManagedObject {
            @NSManaged public var amount: NSDecimalNumber?
            @NSManaged public var note: String?
            @objc dynamic var month: String { note ?? "" }

            @objc func validateNote(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
                guard let text = value.pointee as? String, !text.isEmpty else { return }
            }

            class func all(in context: NSManagedObjectContext, since id: UUID) throws -> [Expense] {
                let request = Expense.fetchRequest() as! NSFetchRequest<Expense>
                request.predicate = NSPredicate(format: "%K == %@", #keyPath(Expense.note), id as CVarArg)
                request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Expense.note), ascending: true)]
                return try context.fetch(request)
            }
        }

        final class Watcher: NSObject {
            func start(_ context: NSManagedObjectContext) {
                NotificationCenter.default.addObserver(
                    self, selector: #selector(saved(_:)), name: .NSManagedObjectContextDidSave, object: context)
            }
            @objc private func saved(_ notification: Notification) { print(notification.name) }
        }
        """
}
