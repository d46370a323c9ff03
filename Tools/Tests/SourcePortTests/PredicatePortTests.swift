// The porting of predicates' arguments.

import SourcePort
import Testing

@Suite struct PredicatePortTests {
    private func ported(_ text: String) -> String { SourcePort().ported(text).text }

    private func remarks(_ text: String) -> [String] {
        SourcePort().ported(text).remarks.map(\.description)
    }

    @Test func argumentsOfPredicatesNeedNoCast() {
        #expect(
            ported(
                """
                let a = NSPredicate(format: "id == %@ AND age > %d", person.id as CVarArg, 3)
                let b = NSPredicate(format: "born < %@", Date() as any CVarArg)
                let c = NSPredicate(format: "name == %@", name)
                let d = NSPredicate(format: "id == %@", argumentArray: [id as CVarArg])
                """) == """
                    let a = NSPredicate(format: "id == %@ AND age > %d", argumentArray: [person.id, 3])
                    let b = NSPredicate(format: "born < %@", argumentArray: [Date()])
                    let c = NSPredicate(format: "name == %@", name)
                    let d = NSPredicate(format: "id == %@", argumentArray: [id as CVarArg])
                    """)
    }

    @Test func listsOfValuesStayArrays() {
        #expect(
            ported(
                """
                a = NSPredicate(format: f, arguments: getVaList(values))
                b = withVaList(values + [1]) { NSPredicate(format: "x == %@", arguments: $0) }
                c = withVaList(values) { list in return NSPredicate(format: f, arguments: list) }

                """) == """
                    a = NSPredicate(format: f, argumentArray: values)
                    b = NSPredicate(format: "x == %@", argumentArray: values + [1])
                    c = NSPredicate(format: f, argumentArray: values)

                    """)
        #expect(remarks("let a = NSPredicate(format: f, arguments: pointer)\n").count == 1)
    }
}
