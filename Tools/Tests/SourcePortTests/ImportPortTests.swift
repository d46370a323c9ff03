// The porting of what files have through modules that only Apple's systems have.

import Foundation
import SourcePort
import Testing

@Suite struct ImportPortTests {
    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    private let coreData = "#if !canImport(ObjectiveC)\nimport CoreData\n#endif\n"

    private func guarded(_ module: String) -> String {
        "#if canImport(\(module))\nimport \(module)\n#endif\n"
    }

    @Test(arguments: [
        ("UIKit", "let day = Date()", "Foundation"), ("Cocoa", "class Hero: NSManagedObject {}", "CoreData"),
        ("Cocoa", "let day = Date()", "Foundation"), ("SwiftUI", "let undo = UndoManager()", "CoreData"),
    ])
    func modulesBringOthers(_ module: String, _ line: String, _ brought: String) {
        let result = ported("import \(module)\n\n\(line)\n")
        let lines = brought == "CoreData" ? coreData : "import \(brought)\n"
        #expect(result == guarded(module) + lines + "\n\(line)\n")
        #expect(ported(result) == result)
    }

    @Test func thoseThatAreThereStay() {
        for line in ["import CoreData", "import Foundation", "import XCTest"] {
            #expect(
                ported("\(line)\nimport UIKit\n\nlet day = Date()\n")
                    == "\(line)\n\(guarded("UIKit"))\nlet day = Date()\n")
        }
        #expect(ported("import os\n\nlet number = 1\n") == guarded("os") + "\nlet number = 1\n")
    }

    @Test(arguments: [
        "final class T: ValueTransformer {}", "let name = NSValueTransformerName(rawValue: \"T\")",
        "let undo = UndoManager()", "final class T: NSSecureUnarchiveFromDataTransformer {}",
        "var observation: NSKeyValueObservation?", "let path = NSExpression(forKeyPath: \"a\")",
    ])
    func someOfFoundationIsCoreDatas(_ line: String) {
        #expect(ported("import Foundation\n\n\(line)\n") == "import Foundation\n\(coreData)\n\(line)\n")
        #expect(ported("import CoreData\n\n\(line)\n") == "import CoreData\n\n\(line)\n")
    }

    @Test func othersOfTheNameAreNot() {
        let source = "import Foundation\n\nclass UndoManager {}\nlet name = Kit.ValueTransformer()\n"
        #expect(ported(source) == source)
    }

    @Test func usesInConditionsNeedNobody() {
        let source =
            "import UIKit\n\n#if canImport(UIKit)\nextension Hue { var color: UIColor { .red } }\n#endif\n"
        #expect(SourcePort().ported(source).remarks.isEmpty)
        #expect(!SourcePort().ported(source + "let color: UIColor? = nil\n").remarks.isEmpty)
    }

    @Test func errorsOfLogsAreObjects() {
        #expect(
            ported("import os\n\nos_log(\"%@ %d\", log: log, type: .error, error as CVarArg, 3)\n")
                == guarded("os") + "#if !canImport(ObjectiveC)\nimport AppleShims\n#endif\n\n"
                + "os_log(\"%@ %d\", log: log, type: .error, String(describing: error), 3)\n")
        #expect(
            ported("let text = String(format: \"%@\", values[1] as! CVarArg)\n")
                == "let text = String(format: \"%@\", String(describing: values[1]))\n")
        for line in ["NSLog(\"%@\", error)", "NSLog(\"%@ %@\", name, error as NSError)"] {
            #expect(
                ported("import Foundation\n\(line)\n")
                    == "import Foundation\n#if !canImport(ObjectiveC)\nimport AppleShims\n#endif\n\(line)\n")
        }
        #expect(
            ported("import Foundation\nNSLog(\"%@\", name)\n") == "import Foundation\nNSLog(\"%@\", name)\n")
    }

    @Test(arguments: [
        "XCTContext.runActivity(named: \"a\") { _ in }",
        "keyValueObservingExpectation(for: hero, keyPath: \"name\", expectedValue: \"Ada\")",
    ])
    func whatXCTestLacksIsAdded(_ line: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Tests.swift")
        try Data("import XCTest\n\n\(line)\n".utf8).write(to: file)
        let results = try SourcePort.results(at: [folder])
        #expect(results.map(\.url.lastPathComponent) == ["CoreDataPortSupport.swift"])
        #expect(results.first?.new.contains("enum XCTContext") == true)
        for result in results { try result.write() }
        #expect(try SourcePort.results(at: [folder]).isEmpty)
    }
}
