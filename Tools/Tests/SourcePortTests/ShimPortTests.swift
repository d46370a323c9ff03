// The porting of code that needs AppleShims or CombineShims.

import Foundation
import SourcePort
import Testing

@Suite struct ShimPortTests {
    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    @Test func combineIsOursElsewhere() {
        let source = "import Combine\nimport CoreData\n"
        let result = SourcePort().ported(source)
        #expect(
            result.text
                == "#if canImport(Combine)\nimport Combine\n#else\nimport CombineShims\n#endif\nimport CoreData\n"
        )
        #expect(result.remarks.map(\.description).first?.contains("add that product") == true)
        #expect(SourcePort(products: ["CombineShims"]).ported(source).remarks.isEmpty)
        #expect(ported(result.text) == result.text)
        #expect(
            ported("@preconcurrency import class Combine.AnyCancellable")
                == """
                #if canImport(Combine)
                @preconcurrency import class Combine.AnyCancellable
                #else
                @preconcurrency import class CombineShims.AnyCancellable
                #endif
                """)
    }

    @Test(arguments: [
        "let observers = NSHashTable<AnyObject>.weakObjects()",
        "NSException(name: .genericException, reason: nil).raise()",
        "let map: NSMapTable<NSString, NSNumber>? = nil",
        "objc_setAssociatedObject(self, &key, 1, .OBJC_ASSOCIATION_RETAIN)",
        "let url = manager.containerURL(forSecurityApplicationGroupIdentifier: \"group.app\")",
        "let activity = ProcessInfo.processInfo.beginActivity(options: [], reason: \"\")",
        "let names = try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NSString.self, from: data)",
    ])
    func partsOfFoundationAreShims(_ line: String) {
        #expect(
            ported("import Foundation\n\(line)\n")
                == "import Foundation\n#if !canImport(ObjectiveC)\nimport AppleShims\n#endif\n\(line)\n")
    }

    @Test func othersOfTheNameAreNot() {
        let source = "import Foundation\nclass NSHashTable {}\nlet name = My.NSException.self\n"
        #expect(ported(source) == source)
    }
}
