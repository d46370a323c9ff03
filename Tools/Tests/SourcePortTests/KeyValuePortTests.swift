// The porting of observers with one method.

import Foundation
import SourcePort
import Testing

@Suite struct KeyValuePortTests {
    private static let method = """
            override func observeValue(
                forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                context: UnsafeMutableRawPointer?
            ) {}
        """

    @Test func observersGetTheSuperclassThatHasTheMethod() {
        let port = SourcePort()
        let source =
            "import Foundation\n\nfinal class Watcher: NSObject, Sendable {\n\(Self.method)\n}\nclass B: NSObject {}\n"
        let result = port.ported(source)
        #expect(
            result.text == """
                import Foundation
                #if !canImport(ObjectiveC)
                import CoreData
                #endif

                final class Watcher: KeyValueObserver, Sendable {
                \(Self.method)
                }
                class B: NSObject {}

                """)
        #expect(result.remarks.isEmpty && port.ported(result.text).text == result.text)
        let both = "import CoreData\nclass Watcher: NSObject {\n\(Self.method)\n}\n"
        #expect(port.ported(both).text == both.replacingOccurrences(of: "NSObject", with: "KeyValueObserver"))
    }

    @Test func endingAnObservationOfAKeyIsNoEndOfABlock() {
        let source = """
            func start() {
                NotificationCenter.default.addObserver(
                    self, selector: #selector(saved(_:)), name: .NSManagedObjectContextDidSave, object: nil)
            }
            func saved(_ notification: Notification) {}
            func end() { chore.removeObserver(self, forKeyPath: "title") }

            """
        #expect(SourcePort().ported(source).remarks.isEmpty)
        let other = source.replacingOccurrences(of: ", forKeyPath: \"title\"", with: "")
        #expect(SourcePort().ported(other).remarks.count == 1)
    }

    @Test(arguments: ["NSManagedObject", "NSManagedObjectContext"])
    func objectsAndContextsHaveTheMethod(_ superclass: String) {
        let source = "import CoreData\nclass Watcher: \(superclass) {\n\(Self.method)\n}\n"
        let result = SourcePort().ported(source)
        #expect(result.text == source && result.remarks.isEmpty)
    }

    @Test func otherSuperclassesArePointedOut() {
        let source = "import CoreData\nclass Watcher: Operation {\n\(Self.method)\n}\n"
        let result = SourcePort().ported(source)
        #expect(result.text == source && result.remarks.count == 1)
        let elsewhere = "class Watcher: NSObject {\n    func observeValue(forKeyPath path: String) {}\n}\n"
        #expect(SourcePort().ported(elsewhere).text == elsewhere)
    }
}
