import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import SwiftDataMacros

@Suite struct DiagnosticsTests {
    static let specs: [String: MacroSpec] = [
        "Model": MacroSpec(type: ModelMacro.self), "ModelActor": MacroSpec(type: ModelActorMacro.self),
    ]

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

    /// The messages of an expansion.
    private func messages(_ source: String) -> [String] {
        var found: [String] = []
        assertMacroExpansion(
            source, expandedSource: "", macroSpecs: Self.specs,
            failureHandler: { found.append($0.message) })
        return found
    }

    @Test(arguments: faults)
    func aFaultNamesThePropertyAndTheReason(code: String, message: String) {
        let all = messages("@Model class Trip {\n    \(code)\n}")
        #expect(all.contains { $0.contains(message) }, "\(all)")
    }

    @Test func onlyClassesAreModels() {
        let all = messages("@Model struct Trip {}")
        #expect(all.contains { $0.contains("@Model makes classes models") }, "\(all)")
    }

    @Test func onlyActorsAreModelActors() {
        let all = messages("@ModelActor class Importer {}")
        #expect(all.contains { $0.contains("@ModelActor is for actors") }, "\(all)")
    }
}
