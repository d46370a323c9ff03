// Methods of migration policies that mapping models call by their selectors.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct PolicyMethodsTests {
    private func generated(_ source: String) throws -> (lines: [String], sources: ManagedSources) {
        let sources = ManagedSources(
            try ScratchSources(source).scan(), places: ClassPlaces(moduleName: "App"))
        let lines = sources.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return (lines.filter { $0.contains("functions.method") }, sources)
    }

    @Test func methodsOfPoliciesAreStated() throws {
        let (lines, sources) = try generated(
            """
            import CoreData
            class BasePolicy: NSEntityMigrationPolicy {
                #if canImport(ObjectiveC)
                    @objc
                #endif
                func fullName(forFirst first: String?, last: String?) -> String? { nil }
                #if canImport(ObjectiveC)
                    @objc(markOf:)
                #endif
                func mark(for book: NSManagedObject) -> NSNumber { 0 }
                func unmarked(_ value: String) -> String { value }
            }
            final class NamePolicy: BasePolicy {
                #if canImport(ObjectiveC)
                    @objc
                #endif
                func now() -> Date { Date() }
                #if canImport(ObjectiveC)
                    @objc dynamic
                #endif
                func throwing(_ value: String) throws -> String { value }
            }
            #if canImport(ObjectiveC)
                @objcMembers
            #endif
            final class Manager: NSMigrationManager {
                func number(_ value: NSNumber, times: NSNumber) -> NSNumber { value }
                func forget(_ value: NSNumber) {}
                private func hidden(_ value: NSNumber) -> NSNumber { value }
            }
            #if canImport(ObjectiveC)
                @objc
            #endif
            extension Manager {
                func label(_ text: String) -> String { text }
            }
            """)
        expect(
            lines,
            equals: [
                "functions.method(\"fullNameForFirst:last:\", BasePolicy.fullName(forFirst:last:))",
                "functions.method(\"markOf:\", BasePolicy.mark(for:))",
                "functions.method(\"number:times:\", Manager.number(_:times:))",
                "functions.method(\"label:\", Manager.label(_:))",
                "functions.method(\"now\", { (receiver: NamePolicy) in { receiver.now() } })",
            ])
        for name in ["BasePolicy", "NamePolicy", "Manager"] {
            #expect(sources.text.contains("final class \(name)__Methods: MigrationMethods {"))
        }
        #expect(sources.problems.isEmpty && sources.warnings.isEmpty)
    }

    @Test func aPrivateMethodIsWarnedOf() throws {
        let (lines, sources) = try generated(
            """
            import CoreData
            final class NamePolicy: NSEntityMigrationPolicy {
                #if canImport(ObjectiveC)
                    @objc
                #endif
                private func part(_ name: String) -> String { name }
            }
            """)
        expect(lines, equals: [])
        expect(sources.warnings.map(\.line), equals: [6])
        #expect(sources.warnings.first?.reason.contains("part is private") == true)
    }

    /// Every word that a label or a name may begin or end with, as the compiler names the method.
    @Test func selectorsAreTheCompilers() throws {
        let words = """
            above across after along alongside among as at atop before below beneath between by during following for from given
            in including inside into like matching near of on over passing per preceding since than through to toward until
            upon using via when with within without name URL iPhone
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        let methods = words.enumerated().flatMap { number, word in
            [
                "func m\(number)Of(\(word)Thing a: A, _ b: A, last: A) -> A { a }",
                "func m\(number)Do(\(word) a: A) -> A { a }",
                "func m\(number)Go\(word.prefix(1).uppercased() + word.dropFirst())(thing a: A) -> A { a }",
            ]
        }
        let body = methods.map { "@objc \($0)" }.joined(separator: "\n")
        let sources = try ScratchSources("@objc class A {\n\(body)\n}")
        let scanned = try sources.scan().files.flatMap(\.types).flatMap(\.members.methods)
        expect(scanned.count, equals: words.count * 3)
        let tree = try sources.run([
            "swiftc", "-frontend", "-dump-ast", "-enable-objc-interop", "-parse-as-library", "-module-name",
            "App",
            "-disable-objc-attr-requires-foundation-module", "Source.swift",
        ])
        // Both of the compiler's streams are in it, so that a line may end anywhere.
        let compiled = tree.replacing("\n", with: "").matches(of: /name="(m[^"]+)" is_name_implicit/)
            .map { String($0.1) }
        expect(scanned.map(\.objectiveCSelector), equals: compiled)
    }
}
