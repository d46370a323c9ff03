import Foundation
import Testing

/// What the compiler says about models that can't be.
@Suite struct DiagnosticsTests {
    static let faults: [(code: String, message: String)] = [
        (
            "let name: String",
            "'name' can't be persisted because it is a constant: make it a 'var', or mark it with @Transient"
        ),
        (
            "lazy var name = \"\"",
            "'name' can't be persisted because it is lazy: give it an initial value, or mark it with @Transient"
        ),
        (
            "var a = 1, b = 2",
            "'a', 'b' can't be persisted because they are declared together: declare each on its own"
        ),
        (
            "@Transient var name: String",
            "'name' is transient and needs an initial value: a model that is fetched has nothing else to give it"
        ),
        ("@Attribute @Relationship var name: String", "'name' can't be an attribute and a relationship"),
        (
            "@Relationship(.unique) var stops: [Stop] = []",
            "'stops' leads to many models and can't be unique: state .unique on the other side"
        ),
        (
            "@Attribute(.unique) var name: String { \"\" }",
            "'name' is computed, so that @Attribute has nothing to state"
        ),
    ]

    @Test(arguments: faults)
    func aFaultNamesThePropertyAndTheReason(code: String, message: String) throws {
        let errors = try CompiledSource(
            "import SwiftData\n@Model class Trip {\n    \(code)\n}\n@Model class Stop { init() {} }\n"
        ).errors()
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.message == message && errors.first?.line == 3, "\(errors)")
    }

    @Test func aFaultOfASubclassIsTheOnlyError() throws {
        let errors = try CompiledSource(
            """
            import SwiftData
            @Model class Animal {
                var name: String
                lazy var kind = ""
                init(name: String) { self.name = name }
            }
            @Model final class Dog: Animal {
                let breed: String
                init(name: String, breed: String) {
                    self.breed = breed
                    super.init(name: name)
                }
            }
            func use() throws {
                let container = try ModelContainer(for: Dog.self)
                let context = ModelContext(container)
                context.insert(Dog(name: "Rex", breed: "collie"))
                print(try context.fetch(FetchDescriptor<Dog>(predicate: #Predicate { $0.breed == "collie" })))
            }
            """
        ).errors()
        #expect(errors.map(\.line) == [4, 8], "\(errors)")
    }

    @Test func constantsArePersistedBySwift5() throws {
        let errors = try CompiledSource(
            "import SwiftData\n@Model class Trip {\n    let name: String\n    init() { name = \"\" }\n}\n"
        ).errors(version: "5")
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func observersAreIgnoredWithAWarning() throws {
        let source = CompiledSource(
            """
            import SwiftData
            @Model class Trip {
                var name: String { didSet {} }
                var days = 3 { willSet {} }
                init(name: String) { self.name = name }
            }
            """)
        let message = "willSet and didSet of 'name' aren't called: its value lies in the store's row"
        let warnings = try source.warnings()
        #expect(try source.errors().isEmpty)
        #expect(warnings.map(\.line) == [3, 4], "\(warnings)")
        #expect(warnings.first?.message == message, "\(warnings)")
    }

    @Test func onlyClassesAreModels() throws {
        let errors = try CompiledSource("import SwiftData\n@Model struct Trip {}\n").errors()
        let message = "@Model makes classes models; a structure, an enumeration or an actor can't be one"
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.message == message && errors.first?.line == 2, "\(errors)")
    }

    @Test func onlyActorsAreModelActors() throws {
        let errors = try CompiledSource("import SwiftData\n@ModelActor class Importer {}\n").errors()
        #expect(errors.contains { $0.message == "@ModelActor is for actors" && $0.line == 2 }, "\(errors)")
    }

    @Test func aSoundModelHasNoErrors() throws {
        let errors = try CompiledSource(
            "import SwiftData\n@Model final class Trip {\n    var name: String\n    init(name: String) { self.name = name }\n}\n"
        ).errors()
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func anOpenModelHasModelsOfOtherModulesBelowIt() throws {
        let source = CompiledSource(
            """
            import Library
            import SwiftData
            @Model final class Circle: Shape {
                var radius: Double
                init(radius: Double) {
                    self.radius = radius
                    super.init(color: "red")
                }
                override var area: Double { radius * radius * 3 }
            }
            @Model class Note: Marked {
                var text = ""
            }
            """,
            library: """
                import SwiftData
                @Model open class Shape {
                    public var color: String
                    public init(color: String) { self.color = color }
                    open var area: Double { 0 }
                }
                @Model open class Mark {
                    public var isMarked = false
                    public init() {}
                }
                @Model open class Marked: Mark {
                    public var mark = 0
                    public override init() { super.init() }
                }
                """)
        let errors = try source.errors()
        #expect(errors.isEmpty, "\(errors)")
    }
}
