// Parts of XCTest that are on Apple's systems only, for the tests of a target.

extension PortSupport {
    static let testingText = """
        #if !canImport(ObjectiveC)
        import CoreData
        import XCTest

        /// A part of a test with a name.
        struct XCTActivity {
            let name: String
        }

        enum XCTContext {
            /// Runs a part of a test.
            static func runActivity<Result>(
                named name: String, block: (XCTActivity) throws -> Result
            ) rethrows -> Result {
                try block(XCTActivity(name: name))
            }
        }

        extension XCTestCase {
            /// An expectation that a managed object's or a context's key has a value, any change if that is nil.
            @discardableResult
            func keyValueObservingExpectation(
                for object: Any, keyPath: String, expectedValue: Any? = nil
            ) -> XCTestExpectation {
                keyValueObservingExpectation(for: object, keyPath: keyPath, options: expectedValue == nil ? [] : .initial) {
                    value, _ in
                    guard let expectedValue else { return true }
                    return (value as? NSObject) == (expectedValue as? NSObject)
                }
            }

            /// An expectation that a closure returns true after a change of a key.
            @discardableResult
            func keyValueObservingExpectation(
                for object: Any, keyPath: String, handler: @escaping (Any, [AnyHashable: Any]) -> Bool
            ) -> XCTestExpectation {
                keyValueObservingExpectation(for: object, keyPath: keyPath, options: []) { _, change in handler(object, change) }
            }

            private func keyValueObservingExpectation(
                for object: Any, keyPath: String, options: NSKeyValueObservingOptions,
                _ isFulfilled: @escaping (Any?, [AnyHashable: Any]) -> Bool
            ) -> XCTestExpectation {
                let expectation = self.expectation(description: "\\(keyPath) of \\(object)")
                expectation.assertForOverFulfill = false
                let changed = { (value: Any?, old: Any?) in
                    let change: [AnyHashable: Any] = ["new": value ?? NSNull(), "old": old ?? NSNull()]
                    if isFulfilled(value, change) { expectation.fulfill() }
                }
                switch object {
                case let object as NSManagedObject:
                    let observation = object.observe(keyPath, options: [.new, .old, options]) { _, change in
                        changed(change.newValue ?? nil, change.oldValue ?? nil)
                    }
                    addTeardownBlock { observation.invalidate() }
                case let context as NSManagedObjectContext where keyPath == "hasChanges":
                    let observation = context.observe(\\.hasChanges, options: options) { context, _ in
                        changed(context.hasChanges, !context.hasChanges)
                    }
                    addTeardownBlock { observation.invalidate() }
                default: XCTFail("off Apple's systems \\(keyPath) of \\(object) can't be observed")
                }
                return expectation
            }
        }
        #endif

        """
}
