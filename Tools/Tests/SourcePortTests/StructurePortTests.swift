// The porting of code whose place has to change, and of tests' code.

import Foundation
import SourcePort
import Testing

@Suite struct StructurePortTests {
    /// The files of a target in a folder, as porting leaves them, with remarks.
    private func ported(
        _ files: [String: String], manifest: String? = nil
    ) throws -> (files: [String: String], remarks: [String]) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let sources = folder.appendingPathComponent("Sources/App")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let manifest {
            try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
        }
        for (name, text) in files {
            try Data(text.utf8).write(to: sources.appendingPathComponent(name))
        }
        let results = try SourcePort.results(at: [sources])
        var texts = files
        for result in results { texts[result.url.lastPathComponent] = result.new }
        let added = try FileManager.default.contentsOfDirectory(atPath: sources.path)
        #expect(Set(added) == Set(files.keys), "results are written by who asks for it")
        return (texts, results.flatMap(\.remarks).map(\.text))
    }

    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    @Test func overridesInExtensionsMoveIntoTheClass() {
        #expect(
            ported(
                """
                class Person: NSManagedObject {
                    var a = 1
                }
                extension Person {
                    func stays() {}

                    /// Sets the date.
                    public override func awakeFromInsert() {
                        super.awakeFromInsert()
                        if a == 1 { a = 2 }
                    }

                    @available(macOS 10, *)
                    override class func prepare(_ x: () -> Void = {}) {
                    }

                    @discardableResult @available(iOS 13, *) public private(set) override var old: Bool {
                        get { true }
                        set {}
                    }
                }

                """) == """
                    class Person: NSManagedObject {
                        var a = 1

                        /// Sets the date.
                        public override func awakeFromInsert() {
                            super.awakeFromInsert()
                            if a == 1 { a = 2 }
                        }

                        @available(macOS 10, *)
                        override class func prepare(_ x: () -> Void = {}) {
                        }

                        @discardableResult @available(iOS 13, *) public private(set) override var old: Bool {
                            get { true }
                            set {}
                        }
                    }
                    extension Person {
                        func stays() {}



                    }

                    """)
    }

    @Test func overridesKeepWhatTheirExtensionGivesThem() {
        #expect(
            ported(
                """
                public class Person: Base {
                }
                @available(iOS 16, *) @MainActor
                public extension Person {
                    // First
                    @discardableResult override func first() -> Int {
                        1
                    }

                    internal override var second: Int { 2 }
                }
                private extension Person {
                    override func third() {
                    }
                }

                """) == """
                    public class Person: Base {

                        // First
                        @available(iOS 16, *)
                        @MainActor
                        @discardableResult public override func first() -> Int {
                            1
                        }

                        @available(iOS 16, *)
                        @MainActor
                        internal override var second: Int { 2 }

                        fileprivate override func third() {
                        }
                    }
                    @available(iOS 16, *) @MainActor
                    public extension Person {

                    }
                    private extension Person {
                    }

                    """)
    }

    @Test func overridesMoveToTheFileOfTheClassAndArePortedThere() throws {
        let result = try ported([
            "A.swift": "class Person: NSManagedObject {\n}\n",
            "B.swift": """
            extension Person: Codable {
                override func didSave() {
                    print(#keyPath(Person.name))
                }
            }

            """,
        ])
        #expect(
            result.files["A.swift"] == """
                class Person: NSManagedObject {

                    override func didSave() {
                        print("name")
                    }
                }

                """)
        #expect(result.files["B.swift"] == "extension Person: Codable {\n}\n")
        #expect(result.remarks.isEmpty)
    }

    @Test func overridesOfClassesFromElsewhereArePointedOut() throws {
        let text = "extension Other {\n    override func didSave() {\n    }\n}\n"
        let result = try ported(["A.swift": text])
        #expect(result.files["A.swift"] == text)
        #expect(result.remarks.count == 1 && result.remarks[0].contains("Other"))
    }

    @Test func privateClassesWithManagedPropertiesBecomeVisible() throws {
        #expect(
            ported(
                "private final class A: NSManagedObject {\n    @NSManaged var x: Int\n}\nprivate class B {}")
                == "final class A: NSManagedObject {\n    @NSManaged var x: Int\n}\nprivate class B {}")
        let twice = try ported([
            "A.swift": "private class A: NSManagedObject { @NSManaged var x: Int }",
            "B.swift": "private class A: NSManagedObject { @NSManaged var x: Int }",
        ])
        #expect(twice.files["A.swift"]?.hasPrefix("private") == true && twice.remarks.count == 2)
    }

    @Test func keyPathsInInterpolationsBecomeStrings() {
        #expect(
            ported(##"let s = "\(#keyPath(A.b)) == \(x(#"\#(#keyPath(A.c.d))"#)) \("\(#keyPath(e))")""##)
                == ##"let s = "\("b") == \(x(#"\#("c.d")"#)) \("\("e")")""##)
    }

    @Test func mutableSetsAreCopiedBeforeTheyAreCast() {
        #expect(
            ported(
                """
                let a = boss.mutableSetValue(forKey: "staff") as? Set<Person>
                for b in team[0].lead!.mutableSetValue(forKey: #keyPath(Person.staff)) as! Set<Person> {}
                let c = boss.mutableSetValue(forKey: "staff").allObjects as? [Person]
                let d = boss.value(forKey: "staff") as? Set<Person>
                """) == """
                    let a = boss.mutableSetValue(forKey: "staff").copy() as? Set<Person>
                    for b in team[0].lead!.mutableSetValue(forKey: "staff").copy() as! Set<Person> {}
                    let c = boss.mutableSetValue(forKey: "staff").allObjects as? [Person]
                    let d = boss.value(forKey: "staff") as? Set<Person>
                    """)
    }

    @Test func literalsOfSetsAreMadeOfArrays() {
        let text = """
            let a: NSSet = [x, y[1]]
            var b: NSMutableSet? = []
            f([a, b] as NSSet, list[0] as NSSet, c as! NSSet)
            let d = (e as! NSSet?) ?? []
            let f = g as? NSSet ?? [a]
            """
        #expect(
            ported(text) == """
                let a: NSSet = NSSet(array: [x, y[1]])
                var b: NSMutableSet? = NSMutableSet(array: [])
                f(NSSet(array: [a, b]), list[0] as NSSet, c as! NSSet)
                let d = (e as! NSSet?) ?? NSSet(array: [])
                let f = g as? NSSet ?? NSSet(array: [a])
                """)
    }

    @Test func bundlesOutsideOfPackagesStay() throws {
        let text =
            "#if !SWIFT_PACKAGE\nextension Bundle {\n    static var module: Bundle { Bundle(for: A.self) }\n}\n#endif\n"
        let result = try ported(
            ["A.swift": text], manifest: "x(targets: [.target(name: \"App\", resources: [.copy(\"A\")])])")
        #expect(result.files["A.swift"] == text && result.remarks.isEmpty)
    }

    @Test func waitingHasALimit() {
        let text = """
            import XCTest
            wait(for: [a, b])
            wait(for: [a], timeout: 1)
            await fulfillment(of: [a])
            wait(for: [a], enforceOrder: true)
            func wait(for x: Int) {}
            """
        #expect(
            ported(text) == """
                import XCTest
                wait(for: [a, b], timeout: 600)
                wait(for: [a], timeout: 1)
                await fulfillment(of: [a], timeout: 600)
                wait(for: [a], timeout: 600, enforceOrder: true)
                func wait(for x: Int) {}
                """)
        let other = text.replacingOccurrences(of: "import XCTest", with: "import Testing")
        #expect(ported(other) == other)
    }

    @Test func theBundleOfAClassIsThatOfTheTarget() throws {
        let text = "let url = Bundle(for: type(of: self)).url(forResource: \"A\", withExtension: nil)\n"
        let others =
            "let own = Bundle(for: Mine.self)\nlet kit = Bundle(for: Kit.Store.self)\nclass Mine {}\n"
        let files = ["A.swift": text]
        let withResources = try ported(
            files, manifest: "x(targets: [.target(name: \"App\", resources: [.copy(\"A\")])])")
        #expect(
            withResources.files["A.swift"]
                == "let url = Bundle.module.url(forResource: \"A\", withExtension: nil)\n")
        #expect(withResources.remarks.isEmpty)
        let mixed = try ported(
            ["A.swift": others], manifest: "x(targets: [.target(name: \"App\", resources: [.copy(\"A\")])])")
        #expect(
            mixed.files["A.swift"]
                == "let own = Bundle.module\nlet kit = Bundle.containing(Kit.Store.self)\nclass Mine {}\n")
        let manifests = [
            nil, "x(targets: [.target(name: \"App\"), .target(name: \"B\", resources: [.copy(\"A\")])])",
            "x(targets: [.target(name: \"App\", plugins: [.plugin(name: \"CoreDataModelPlugin\")])])",
        ]
        for manifest in manifests {
            let without = try ported(files, manifest: manifest)
            #expect(
                without.files["A.swift"]
                    == "let url = Bundle.containing(type(of: self)).url(forResource: \"A\", withExtension: nil)\n"
            )
            let support = try #require(without.files["CoreDataPortSupport.swift"])
            #expect(support.contains("static func containing") && !support.contains("returning"))
            #expect(without.remarks.isEmpty)
            #expect(try ported(without.files, manifest: manifest).files == without.files)
        }
    }

    @Test func bundlesByIdentifierAreThatOfTheTarget() throws {
        let files = [
            "A.swift": "let a = Bundle(identifier: \"x.y\")!.url\nlet b = Bundle(identifier: \"x.y\")?.url\n"
        ]
        let result = try ported(
            files, manifest: "x(targets: [.target(name: \"App\", resources: [.copy(\"A\")])])")
        #expect(
            result.files["A.swift"]
                == "let a = Bundle.module.url\nlet b = Optional(Bundle.module)?.url\n")
        let without = try ported(files)
        #expect(without.files == files && without.remarks.count == 2)
    }

    @Test func targetsDontSeeEachOther() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (target, text) in [
            ("A", "private class A: NSManagedObject { @NSManaged var x: Int }\n"),
            ("B", "private class A: NSManagedObject { @NSManaged var x: Int }\n"),
            ("C", "extension A {\n    override func didSave() {\n    }\n}\n"),
        ] {
            let sources = folder.appendingPathComponent("Sources/\(target)")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: sources.appendingPathComponent("File.swift"))
        }
        let results = try SourcePort.results(at: [folder])
        #expect(results.map(\.isChanged) == [true, true, false])
        #expect(results.map(\.remarks.count) == [0, 0, 1])
    }

    @Test func whatAppleShimsHasIsImported() throws {
        let text = """
            import CoreData
            import os.log
            #if DEBUG
            import XCTest
            #endif

            let logger = Logger(subsystem: "a", category: "b")

            """
        let result = try ported(["A.swift": text])
        #expect(
            result.files["A.swift"] == """
                import CoreData
                #if canImport(os)
                import os.log
                #endif
                #if DEBUG
                import XCTest
                #endif
                #if !canImport(ObjectiveC)
                import AppleShims
                #endif

                let logger = Logger(subsystem: "a", category: "b")

                """)
        #expect(result.remarks.count == 1 && result.remarks[0].contains("AppleShims"))
        #expect(try ported(result.files).files == result.files)
        let manifest = """
            let package = Package(name: "App", targets: [
                .target(name: "App", dependencies: [.product(name: "AppleShims", package: "OpenCoreData")]),
            ])
            """
        #expect(try ported(["A.swift": text], manifest: manifest).remarks.isEmpty)
    }

    @Test(arguments: [
        "autoreleasepool { save() }", "for await n in center.notifications(named: name) {}",
        "let t = NSMapTable<A, B>.weakToStrongObjects()", "let o = objc_getAssociatedObject(self, &key)",
        "ObjectiveC.autoreleasepool { save() }", "let m = MAXFLOAT",
        "let s = String(localized: \"x\")", "let v = UserDefaults.standard.value(forKey: k)",
    ]) func partsOfFoundationComeFromAppleShims(_ use: String) {
        #expect(ported("import Foundation\n\(use)").contains("import AppleShims"))
        #expect(!ported("import Foundation\n// \(use)").contains("import AppleShims"))
    }

    @Test(arguments: ["let l = Logger(label: 1)", "func autoreleasepool() {}", "x.autoreleasepool {}"])
    func otherThingsOfTheSameNameDont(_ use: String) {
        #expect(!ported("import Foundation\n\(use)").contains("import AppleShims"))
    }

    @Test func castRequestsAreAskedForAnotherType() throws {
        let result = try ported([
            "A.swift": """
            let a = request as! NSFetchRequest<Person>
            return make(1)[2] as! NSFetchRequest<NSFetchRequestResult>
            f(x.y as! NSFetchRequest<any P>, (a as? NSFetchRequest<B>)!)

            """
        ])
        #expect(
            result.files["A.swift"] == """
                let a = request.returning(Person.self)
                return make(1)[2].returning(NSFetchRequestResult.self)
                f(x.y.returning((any P).self), (NSPersistentStoreRequest.fetchRequest(a, returning: B.self))!)

                """)
        let support = try #require(result.files["CoreDataPortSupport.swift"])
        #expect(support.contains("func returning<Result: NSFetchRequestResult>"))
        #expect(try ported(result.files).files == result.files)
        #expect(result.remarks.isEmpty)
    }

    @Test func portingTwiceChangesNothingMore() throws {
        let files = [
            "A.swift": "import XCTest\nprivate class A: NSManagedObject {\n    @NSManaged var x: Int\n}\n",
            "B.swift": "extension A {\n    override func didSave() {\n        wait(for: [])\n    }\n}\n",
        ]
        let once = try ported(files)
        let twice = try ported(once.files)
        #expect(twice.files == once.files)
    }
}
