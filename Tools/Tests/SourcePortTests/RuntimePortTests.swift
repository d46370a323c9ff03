// The porting of code that needs the Objective-C runtime or Apple's edition of Foundation.

import Foundation
import SourcePort
import Testing

@Suite struct RuntimePortTests {
    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    private func remarks(_ text: String) -> [String] {
        SourcePort().ported(text).remarks.map(\.description)
    }

    @Test func selectorsWhoseNamesAreUnknownStay() {
        for source in [
            "let a = NSStringFromSelector(#selector(observeValue(forKeyPath:of:change:context:)))",
            "let a = NSStringFromSelector(#selector(A.move(index:)))", "let a = \"\\(#selector(a(_:of:)))\"",
        ] {
            #expect(ported(source) == source)
            #expect(remarks(source).count == 1)
        }
        #expect(remarks("class_addMethod(a, b, c, d)").count == 1)
    }

    @Test func foundationIsSpelledAsBothEditionsHaveIt() {
        #expect(
            ported(
                "let a = ProcessInfo().hostName\nclass T: Foundation.ValueTransformer { var d: Foundation.Data }"
            )
                == "let a = ProcessInfo.processInfo.hostName\nclass T: ValueTransformer { var d: Foundation.Data }"
        )
        #expect(
            ported("import Foundation.NSExpression\na.ProcessInfo()")
                == "import Foundation.NSExpression\na.ProcessInfo()")
    }

    @Test func classesAreAskedByFunctions() {
        #expect(
            ported(
                "import A\nif (a as AnyClass).isSubclass(of: b(1)) {}\nlet c = (d.e as AnyClass).superclass()"
            )
                == """
                import A
                #if !canImport(ObjectiveC)
                import AppleShims
                #endif
                if sequence(first: (a as AnyClass) as AnyClass, next: { class_getSuperclass($0) }).contains(where: { $0 == b(1) }) {}
                let c = class_getSuperclass((d.e as AnyClass))
                """)
        #expect(
            ported("let a = b.superclass\nfunc isSubclass(of c: D) {}")
                == "let a = b.superclass\nfunc isSubclass(of c: D) {}")
    }

    @Test func descriptionsOfClassesAreTheirNames() {
        #expect(
            ported("let a = request(T.description())\nlet b = Person.self.description()")
                == "let a = request(NSStringFromClass(T.self))\nlet b = NSStringFromClass(Person.self)")
        for text in [
            "let a = person.description()", "let a = A.B.description()",
            "let a = A.description()\nstatic func description() -> String { \"a\" }",
        ] {
            #expect(ported(text) == text)
        }
    }

    @Test func fileProtectionIsAString() {
        #expect(
            ported("d.setOption(FileProtectionType.complete as NSObject, forKey: k)")
                == "d.setOption(FileProtectionType.complete.rawValue as NSObject, forKey: k)")
        let other = "let a = [k: FileProtectionType.complete]"
        #expect(ported(other) == other)
    }

    @Test func replacedFilesAreSpelledAsBothEditionsHaveThem() {
        #expect(
            ported(
                "try files.replaceItem(at: a, withItemAt: b, backupItemName: nil, options: [], resultingItemURL: nil)"
            )
                == "_ = try files.replaceItemAt(a, withItemAt: b, backupItemName: nil, options: [])")
        let other =
            "try files.replaceItem(at: a, withItemAt: b, backupItemName: c, options: [], resultingItemURL: &d)"
        #expect(ported(other) == other)
    }

    @Test func extensionsOfTypesOfApplesSystemsStayThere() {
        #expect(
            ported(
                "import A\n\npublic extension UIView {\n    @objc func a() {}\n}\nextension Selector: B {}\nextension UIOwn {}\nstruct UIOwn {}"
            )
                == """
                import A

                #if canImport(ObjectiveC)
                public extension UIView {
                    @objc func a() {}
                }
                #endif
                #if canImport(ObjectiveC)
                extension Selector: B {}
                #endif
                extension UIOwn {}
                struct UIOwn {}
                """)
    }

    @Test func blocksAreClosuresElsewhere() {
        let source = """
            struct A {
                typealias Get = @convention(block) (_ a: Any)
                    -> Any?
                private typealias Set = @convention(block) (Any, Any?) -> Void // all
            }
            """
        let once = ported(source)
        #expect(
            once == """
                struct A {
                    #if canImport(ObjectiveC)
                    typealias Get = @convention(block) (_ a: Any)
                        -> Any?
                    #else
                    typealias Get = (_ a: Any)
                        -> Any?
                    #endif
                    #if canImport(ObjectiveC)
                    private typealias Set = @convention(block) (Any, Any?) -> Void // all
                    #else
                    private typealias Set = (Any, Any?) -> Void // all
                    #endif
                }
                """)
        #expect(ported(once) == once)
        #expect(remarks(source).isEmpty)
        #expect(remarks("let a: @convention(block) () -> Void = {}").count == 1)
    }

    // MARK: Objects of `Self`

    @Test func foundationsClassesMakeTheirOwnObjects() {
        let source = """
            extension NSURL: Value {
                public class func value(_ text: String) -> Self? {
                    return self.init(string: text)
                }
                static func root() -> Self { self.init(fileURLWithPath: "/") }
                static func home(_ name: (String) -> String) -> Self {
                    self.init(fileURLWithPath: name("~"))  // home
                }
                convenience init(at path: String) {
                    self.init(fileURLWithPath: path)
                }
            }
            extension Note {
                class func make() -> Self {
                    return self.init(context: shared)
                }
            }
            """
        let result = ported(source)
        #expect(
            result == """
                extension NSURL: Value {
                    public class func value(_ text: String) -> Self? {
                #if canImport(ObjectiveC)
                        return self.init(string: text)
                #else
                        return NSURL(string: text) as? Self
                #endif
                    }
                    static func root() -> Self { self.init(fileURLWithPath: "/") }
                    static func home(_ name: (String) -> String) -> Self {
                #if canImport(ObjectiveC)
                        self.init(fileURLWithPath: name("~"))  // home
                #else
                        return NSURL(fileURLWithPath: name("~")) as! Self
                #endif
                    }
                    convenience init(at path: String) {
                        self.init(fileURLWithPath: path)
                    }
                }
                extension Note {
                    class func make() -> Self {
                        return self.init(context: shared)
                    }
                }
                """)
        #expect(ported(result) == result)
        #expect(remarks(source).map { $0.prefix(15) } == ["Source.swift:5:"])
    }
}
