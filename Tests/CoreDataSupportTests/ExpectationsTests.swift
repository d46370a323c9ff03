// The comparison that most tests make: it fails where it should, at its caller's place, with both values.

import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ExpectationsTests {
    @Test func anotherValueIsAnIssueOfTheCallersLine() {
        let found = Mutex<[(line: Int?, text: String)]>([])
        withKnownIssue {
            expect([1, 2], equals: [1, 3], "the second one")
        } matching: { issue in
            let line = issue.sourceLocation?.line
            found.withLock { $0.append((line, "\(issue) \(issue.comments)")) }
            return true
        }
        found.withLock { found in
            #expect(found.count == 1)
            #expect(found.first?.line == 12)
            let text = found.first?.text ?? ""
            #expect(
                text.contains("[1, 2]") && text.contains("[1, 3]") && text.contains("the second one"),
                "\(text)")
        }
    }

    @Test func equalValuesAreNone() {
        expect("a", equals: "a")
        expect(nil as Int?, equals: nil)
        expect(3 as Int?, equals: 3)
    }
}
