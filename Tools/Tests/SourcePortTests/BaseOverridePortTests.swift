// The porting of members that extensions of NSManagedObject declare and classes override.

import SourcePort
import Testing

@Suite struct BaseOverridePortTests {
    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    @Test func theClassIsAsked() {
        let source = """
            import CoreData

            extension NSManagedObject {
                @objc open class var entityName: String { return "None" }
            }

            class Hero: NSManagedObject {
                override class var entityName: String { return "Hero" + super.entityName }
            }

            """
        let result = ported(source)
        #expect(
            result == """
                import CoreData

                extension NSManagedObject {
                    #if canImport(ObjectiveC)
                    @objc open class var entityName: String { return "None" }
                    #else
                    public class var defaultEntityName: String { return "None" }
                    #endif
                }

                #if !canImport(ObjectiveC)
                public protocol OverridingEntityName { static var entityName: String { get } }
                public protocol InheritingEntityName {}
                extension NSManagedObject: InheritingEntityName {}
                extension InheritingEntityName where Self: NSManagedObject {
                    public static var entityName: String {
                        if let own = self as Any as? any OverridingEntityName.Type { return own.entityName }
                        return defaultEntityName
                    }
                }
                #endif

                class Hero: NSManagedObject {
                    #if canImport(ObjectiveC)
                    override class var entityName: String { return "Hero" + super.entityName }
                    #else
                    class var entityName: String { return "Hero" + super.defaultEntityName }
                    #endif
                }

                #if !canImport(ObjectiveC)
                extension Hero: OverridingEntityName {}
                #endif

                """)
        #expect(ported(result) == result)
    }

    @Test func methodsHandTheirArgumentsOn() {
        let result = ported(
            """
            import CoreData

            public extension NSManagedObject {
                @objc func take(_ values: [String: Any], from place: Int = 1) throws { }
            }

            class Hero: NSManagedObject {
                override func take(_ values: [String: Any], from place: Int = 1) throws {
                    try super.take(values, from: place)
                }
            }

            class Wizard: Hero {
                override func take(_ values: [String: Any], from place: Int = 1) throws { }
            }

            """)
        #expect(
            result.contains(
                "public protocol OverridingTake { func take(_ values: [String: Any], from place: Int) throws }"
            ))
        #expect(result.contains("public func take(_ values: [String: Any], from place: Int = 1) throws {\n"))
        #expect(result.contains("{ return try own.take(values, from: place) }\n"))
        #expect(result.contains("        return try defaultTake(values, from: place)\n"))
        #expect(result.contains("        try super.defaultTake(values, from: place)\n"))
        // A class below one that has the member overrides as before.
        #expect(result.contains("class Wizard: Hero {\n    override func take("))
    }

    @Test func otherMembersStay() {
        let source = """
            import CoreData

            extension NSManagedObject {
                func name(in place: Int) -> String { "" }
                var title: String { "" }
            }

            class Hero: NSManagedObject {
                override func awakeFromInsert() {}
                override func name(of place: Int) -> String { "" }
            }

            """
        #expect(ported(source) == source)
    }
}
