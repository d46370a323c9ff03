// The porting of blocks whose errors stand in macros.

import SourcePort
import Testing

@Suite struct ThrowingClosurePortTests {
    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    @Test func blocksThatThrowInMacrosSaySo() {
        #expect(
            ported(
                """
                try context.performAndWait { #expect(try context.count(for: request) == 1) }
                try await context.perform(schedule: .enqueued) {
                    let request = Person.fetchRequest()
                    #expect(try context.count(for: request) == 1)
                }
                try await container.performBackgroundTask { context in
                    #expect(try context.count(for: request) == 1)
                }
                try context.performAndWait { [request] in #expect(try context.count(for: request) == 1) }

                """) == """
                    try context.performAndWait { () throws in #expect(try context.count(for: request) == 1) }
                    try await context.perform(schedule: .enqueued) { () throws in
                        let request = Person.fetchRequest()
                        #expect(try context.count(for: request) == 1)
                    }
                    try await container.performBackgroundTask { context throws in
                        #expect(try context.count(for: request) == 1)
                    }
                    try context.performAndWait { [request] () throws in #expect(try context.count(for: request) == 1) }

                    """)
    }

    @Test func othersStay() {
        for text in [
            "try context.performAndWait { try context.save() }\n",
            "try context.performAndWait { #expect(try a() == 1); try context.save() }\n",
            "context.performAndWait { #expect(context.hasChanges) }\n",
            "try context.performAndWait { () throws in #expect(try a() == 1) }\n",
            "func perform() { #expect(try a() == 1) }\n",
            "try container.performBackgroundTask { #expect(try a($0) == 1) }\n",
            "context.performAndWait { for object in objects { print(object) } }\n",
        ] {
            #expect(ported(text) == text)
        }
    }
}
