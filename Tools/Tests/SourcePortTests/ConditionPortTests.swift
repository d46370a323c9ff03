// The porting of code under conditions: parts that it leaves alone, and lists of all of Apple's systems.

import Foundation
import SourcePort
import Testing

@Suite struct ConditionPortTests {
    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    // MARK: Code left out off Apple's systems

    @Test(arguments: [
        "os(iOS) && DEBUG", "!os(Linux)", "!(os(Linux) || DEBUG)",
        "canImport(UIKit) && (os(iOS) || os(tvOS))",
        "!SWIFT_PACKAGE", "targetEnvironment(simulator)", "false", "os(iOS) || !SWIFT_PACKAGE",
    ]) func codeForApplesSystemsStays(_ condition: String) {
        let source = "#if \(condition)\nlet a = #keyPath(A.b)\n#endif\nlet a = 1"
        #expect(ported(source) == source)
    }

    @Test(arguments: [
        "os(watchOS) || !canImport(QuartzCore)", "os(iOS) || DEBUG", "swift(>=5.9)", "!DEBUG", "os(Linux)",
        "!canImport(ObjectiveC) && DEBUG", "canImport(FoundationNetworking) // here",
        "compiler(>=6) || os(iOS)",
    ]) func otherCodeIsPorted(_ condition: String) {
        #expect(
            ported("#if \(condition)\nlet a = #keyPath(A.b)\n#endif")
                == "#if \(condition)\nlet a = \"b\"\n#endif")
    }

    @Test func branchesBehindOneThatIsTakenStay() {
        let source = """
            #if os(iOS)
            a(#keyPath(A.b))
            #elseif os(watchOS) || !canImport(QuartzCore)
            b
            #elseif DEBUG
            c(#keyPath(A.b))
            #else
            d(#keyPath(A.b))
            #endif
            """
        #expect(ported(source) == source)
        #expect(
            ported("#if os(iOS)\na\n#else\nb(#keyPath(A.b))\n#endif")
                == "#if os(iOS)\na\n#else\nb(\"b\")\n#endif")
    }

    // MARK: Lists of systems

    @Test(arguments: [
        "os(iOS) || os(macOS) || os(tvOS)", "os(OSX) || os(iOS) || os(watchOS) || os(tvOS)",
        "canImport(UIKit) || canImport(AppKit)", "canImport(UIKit) || os(macOS)",
    ]) func listsOfAllSystemsGetLinux(_ list: String) {
        let source = "#if \(list) // all\nlet a = #keyPath(A.b)\n#endif\n"
        let result = ported(source)
        #expect(result == "#if \(list) || os(Linux) // all\nlet a = \"b\"\n#endif\n")
        #expect(ported(result) == result)
    }

    @Test(arguments: [
        "os(iOS) || os(macOS)", "os(iOS) || os(tvOS) || os(watchOS)", "canImport(UIKit)",
        "(os(iOS) || os(macOS) || os(tvOS)) && DEBUG", "canImport(UIKit) || canImport(Combine)",
    ]) func otherListsStay(_ list: String) {
        let source = "#if \(list)\nlet a = #keyPath(A.b)\n#endif\n"
        #expect(ported(source) == source)
    }

    @Test(arguments: [
        "import UIKit", "let view: UIView", "let view = NSTableView()", "@Published var a = 1",
        "class A: NSArrayController {}", "CATransaction.begin()",
    ]) func codeOfUserInterfacesStays(_ code: String) {
        let source = "#if canImport(UIKit) || canImport(AppKit)\n\(code)\n#endif\n"
        #expect(ported(source) == source)
    }

    @Test func listsWithOtherBranchesStay() {
        for branch in ["#else\nb\n", "#elseif DEBUG\nb\n"] {
            let source = "#if canImport(UIKit) || canImport(AppKit)\nlet a = 1\n\(branch)#endif\n"
            #expect(ported(source) == source)
        }
    }

    @Test func chainsWithoutAnElseGiveLinuxTheCommonBranch() {
        let first = "os(iOS) || os(tvOS) || os(watchOS)"
        func chain(_ one: String, _ other: String, _ code: String = "let a = #keyPath(A.b)") -> String {
            "#if \(one)\n\(code)\n#elseif \(other)\nlet a = 2\n#endif\n"
        }
        let result = ported(chain(first, "os(macOS)"))
        #expect(result == chain("\(first) || os(Linux)", "os(macOS)", "let a = \"b\""))
        #expect(ported(result) == result)
        #expect(
            ported(chain("os(macOS)", first, "let a = 1"))
                == chain("os(macOS)", "\(first) || os(Linux)", "let a = 1"))
        // A choice of two, other systems, other conditions, interfaces.
        for (one, other, code) in [
            ("os(iOS)", "os(macOS)", "let a = 1"), ("os(iOS) || os(tvOS)", "os(watchOS)", "let a = 1"),
            (first, "os(macOS) || os(Linux)", "let a = 1"), (first, "os(macOS) && DEBUG", "let a = 1"),
            (first, "os(macOS)", "let a: UIView"),
        ] {
            #expect(ported(chain(one, other, code)) == chain(one, other, code))
        }
        let withElse = chain(first, "os(macOS)", "let a = 1").replacingOccurrences(
            of: "#endif", with: "#else\nlet a = 3\n#endif")
        #expect(ported(withElse) == withElse)
    }

    @Test func whatNeedsTypesOfUserInterfacesStays() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let list = "#if canImport(UIKit) || canImport(AppKit)\n"
        let files = [
            "A.swift": "\(list)class Adapter: UIView {}\n#endif\n",
            "B.swift": "\(list)class Source {\n    let adapter: Adapter\n}\n#endif\n",
            "C.swift": "\(list)struct Use {\n    let source: Source\n}\n#endif\n",
            "D.swift": """
            \(list)#if canImport(UIKit)
            import UIKit
            #elseif canImport(AppKit)
            import AppKit
            #endif
            struct UIPlain {}
            struct Changes {
                let plain: UIPlain
                #if canImport(UIKit)
                let view: UIView
                #endif
            }
            #endif

            """,
        ]
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let results = try SourcePort.results(at: [folder])
        #expect(results.map(\.url.lastPathComponent) == ["D.swift"])
        #expect(
            results.first?.new.hasPrefix("#if canImport(UIKit) || canImport(AppKit) || os(Linux)\n") == true)
        #expect(results.first?.changedLines == 1)
    }

    // MARK: Modules that have a substitute

    private func portedWithCombine(_ text: String) -> String {
        SourcePort(products: ["CombineShims"]).ported(text).text
    }

    @Test(arguments: [
        "canImport(Combine)": "canImport(Combine) || canImport(CombineShims)",
        "canImport(Combine) && !DEBUG": "(canImport(Combine) || canImport(CombineShims)) && !DEBUG",
        "canImport(UIKit) || canImport(AppKit)": "canImport(UIKit) || canImport(AppKit) || os(Linux)",
    ]) func publishersAreThereWithTheirProduct(_ condition: String, _ expected: String) {
        let code =
            "struct Names {\n    let names: AnyPublisher<String, Never>\n}\nextension Publisher {}\n#endif\n"
        let source = "#if \(condition)\nimport Combine\n\(code)"
        let result = portedWithCombine(source)
        #expect(
            result == """
                #if \(expected)
                #if canImport(Combine)
                import Combine
                #else
                import CombineShims
                #endif
                \(code)
                """)
        #expect(portedWithCombine(result) == result)
        #expect(ported(source) == source)
    }

    @Test(arguments: [
        "canImport(Combine) && canImport(SwiftUI)", "!canImport(Combine)", "canImport(Combine) && os(iOS)",
    ]) func otherConditionsOnTheModuleStay(_ condition: String) {
        let source = "#if \(condition)\nlet a = 1\n#endif\n"
        #expect(portedWithCombine(source) == source)
    }

    @Test func onlyTheBranchWithTheModuleCounts() {
        #expect(
            portedWithCombine("#if canImport(Combine)\nlet a: AnyCancellable\n#else\nlet a: UIView\n#endif\n")
                == "#if canImport(Combine) || canImport(CombineShims)\nlet a: AnyCancellable\n#else\nlet a: UIView\n#endif\n"
        )
        let view = "#if canImport(Combine)\nlet a: UIView\n#endif\n"
        #expect(portedWithCombine(view) == view)
    }
}
