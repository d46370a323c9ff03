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
            "var name = .sunny",
            "'name' needs a type annotation: the macro can't see the type of its initial value"
        ),
        (
            "var name: String { didSet {} }",
            "'name' can't be persisted because it has observers (willSet or didSet): its value lies in the store's row"
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
        let errors = try CompiledSource("import SwiftData\n@Model class Trip {\n    \(code)\n}\n").errors()
        #expect(errors.contains { $0.message == message && $0.line == 3 }, "\(errors)")
    }

    @Test func onlyClassesAreModels() throws {
        let errors = try CompiledSource("import SwiftData\n@Model struct Trip {}\n").errors()
        let message = "@Model makes classes models; a structure, an enumeration or an actor can't be one"
        #expect(errors.contains { $0.message == message && $0.line == 2 }, "\(errors)")
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
}
