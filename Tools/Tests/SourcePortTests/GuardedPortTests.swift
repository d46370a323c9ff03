// The porting of code that stays with Apple's systems, and of what takes its place elsewhere.

import Foundation
import SourcePort
import Testing

@Suite struct GuardedPortTests {
    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    private func remarks(_ text: String) -> [String] {
        SourcePort().ported(text).remarks.map(\.description)
    }

    @Test func functionsThatMakeClassesStayWithApple() {
        let source = """
            func make(_ name: String) {
                func inner(_ base: AnyClass) {
                    if let c = objc_allocateClassPair(base, name, 0) {
                        objc_registerClassPair(c)
                    }
                }
                inner(NSObject.self)
            }

            """
        let result = """
            func make(_ name: String) {
                func inner(_ base: AnyClass) {
            #if canImport(ObjectiveC)
                    if let c = objc_allocateClassPair(base, name, 0) {
                        objc_registerClassPair(c)
                    }
            #else
            #warning("classes made at run time need the Objective-C runtime: do otherwise what this does")
            #endif
                }
                inner(NSObject.self)
            }

            """
        #expect(ported(source) == result)
        #expect(remarks(source).count == 1 && remarks(source)[0].contains(":2: "))
        #expect(ported(result) == result && remarks(result).isEmpty)
    }

    @Test func functionsWithResultsOnlyGetARemark() {
        for source in [
            "func make() -> AnyClass? {\n    objc_allocateClassPair(NSObject.self, \"A\", 0)\n}\n",
            "func make() { _ = objc_allocateClassPair(NSObject.self, \"A\", 0) }\n",
            "let made: AnyClass? = objc_allocateClassPair(NSObject.self, \"A\", 0)\n",
        ] {
            #expect(ported(source) == source)
            #expect(remarks(source).count == 1)
        }
    }

    private let watcher = """
        import CoreData
        class Watcher: NSObject {
            static let once: Void = {
                let type: AnyClass = Watcher.self
                let old = class_getInstanceMethod(
                    type, #selector(Watcher.observeValue(forKeyPath:of:change:context:)))!
                let new = class_getInstanceMethod(type, #selector(changed(forKeyPath:of:change:context:)))!
                method_exchangeImplementations(old, new)
            }()

            @objc dynamic func changed(
                forKeyPath keyPath: String?, of object: Any?, change: CHANGE, context: UnsafeMutableRawPointer?
            ) {
                print(keyPath ?? "")
            }
        }

        """

    @Test(arguments: [
        ("[NSKeyValueChangeKey : Any]?", "change"),
        (
            "[NSString: Any]?",
            "change.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key.rawValue as NSString, $0.value) }) }"
        ),
        (
            "[String: Any]?",
            "change.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key.rawValue, $0.value) }) }"
        ),
    ])
    func observersOverrideWhatTheyExchanged(_ type: String, _ change: String) {
        let result = ported(watcher.replacingOccurrences(of: "CHANGE", with: type))
        #expect(
            result == """
                import CoreData
                class Watcher: KeyValueObserver {
                    static let once: Void = {
                #if canImport(ObjectiveC)
                        let type: AnyClass = Watcher.self
                        let old = class_getInstanceMethod(
                            type, #selector(Watcher.observeValue(forKeyPath:of:change:context:)))!
                        let new = class_getInstanceMethod(type, #selector(changed(forKeyPath:of:change:context:)))!
                        method_exchangeImplementations(old, new)
                #endif
                    }()

                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    dynamic func changed(
                        forKeyPath keyPath: String?, of object: Any?, change: \(type), context: UnsafeMutableRawPointer?
                    ) {
                        print(keyPath ?? "")
                    }

                    #if !canImport(ObjectiveC)
                    override func observeValue(
                        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                        context: UnsafeMutableRawPointer?
                    ) {
                        changed(forKeyPath: keyPath, of: object, change: \(change), context: context)
                    }
                    #endif
                }

                """)
        #expect(ported(result) == result && remarks(result).isEmpty)
    }

    @Test func overridesOfPublicObserversArePublic() {
        let source = watcher.replacingOccurrences(of: "CHANGE", with: "[String: Any]?")
            .replacingOccurrences(of: "class Watcher", with: "public final class Watcher")
        #expect(ported(source).contains("    public override func observeValue("))
    }

    @Test func otherExchangesStay() {
        let unknown = watcher.replacingOccurrences(of: "CHANGE", with: "NSDictionary?")
        #expect(!ported(unknown).contains("KeyValueObserver"))
        #expect(remarks(unknown).count == 5)
        let other = watcher.replacingOccurrences(of: "observeValue", with: "other")
            .replacingOccurrences(of: "CHANGE", with: "[String: Any]?")
        #expect(!ported(other).contains("KeyValueObserver") && remarks(other).count == 5)
    }

    @Test func overriddenMembersOfFoundationsClassesTellThemApart() {
        let source = """
            extension NSNumber: Kinded {
                @objc class var kind: Int {

                    return 1
                }
                @objc func amount(of unit: Int) -> Int {
                    intValue
                }
                @objc func amount(in unit: Int) -> Int {
                    intValue
                }
            }
            extension NSDecimalNumber {
                // Exact.
                public override class var kind: Int {

                    return 2
                }
                override func amount(in unit: Int) -> Int { 3 }
            }

            """
        let result = ported(source)
        #expect(
            result == """
                extension NSNumber: Kinded {
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    class var kind: Int {
                        #if !canImport(ObjectiveC)
                        if self is NSDecimalNumber.Type {
                            return 2
                        }
                        #endif

                        return 1
                    }
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    func amount(of unit: Int) -> Int {
                        intValue
                    }
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    func amount(in unit: Int) -> Int {
                        #if !canImport(ObjectiveC)
                        if self is NSDecimalNumber {
                            return 3
                        }
                        #endif
                        return intValue
                    }
                }
                extension NSDecimalNumber {
                    // Exact.
                    #if canImport(ObjectiveC)
                    public override class var kind: Int {

                        return 2
                    }
                    #endif
                    #if canImport(ObjectiveC)
                    override func amount(in unit: Int) -> Int { 3 }
                    #endif
                }

                """)
        #expect(ported(result) == result && remarks(source).isEmpty)
    }

    @Test func overridesThatNeedTheirOwnClassArePointedOut() {
        for body in ["{ self.isNaN ? 1 : 2 }", "{ super.kind }", "{ get { 2 } set {} }"] {
            let source =
                "extension NSNumber {\n    var kind: Int {\n        1\n    }\n}\nextension NSDecimalNumber {\n"
                + "    override var kind: Int \(body)\n}\n"
            #expect(ported(source) == source)
            #expect(remarks(source).count == 1)
        }
        let alone = "extension NSDecimalNumber {\n    override var kind: Int { 1 }\n}\n"
        #expect(ported(alone) == alone && remarks(alone).count == 1)
    }

    @Test func questionsToManagedObjectsAreAnsweredByAppleShims() {
        for question in [
            "let a = NSManagedObject.instancesRespond(to: Selector(name))",
            "if note.responds(to: NSSelectorFromString(name)) {}",
        ] {
            let source = "import CoreData\n\(question)\n"
            #expect(
                ported(source)
                    == "import CoreData\n#if !canImport(ObjectiveC)\nimport AppleShims\n#endif\n\(question)\n"
            )
            #expect(SourcePort(products: ["AppleShims"]).ported(source).remarks.isEmpty)
        }
        #expect(remarks("let a = Selector(name)").count == 1)
    }
}
