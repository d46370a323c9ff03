import Foundation
import SwiftData
import Testing

@MainActor @Model
final class Draft {
    @Attribute(.unique) var id: UUID
    /// Predicates take key paths that may be sent, which those to an actor's properties may not.
    nonisolated var title: String
    var changed = Date.now
    @Relationship(deleteRule: .cascade, inverse: \Remark.draft) var remarks: [Remark] = []
    @Transient var isOpen = false

    init(title: String) {
        id = UUID()
        self.title = title
    }

    var heading: String { title.uppercased() }
}

@MainActor @Model
class Remark {
    var text: String
    var draft: Draft?

    init(text: String, draft: Draft? = nil) {
        self.text = text
        self.draft = draft
    }

    nonisolated static func == (left: Remark, right: Remark) -> Bool { left === right }
}

/// Of the main actor as its superclass is.
@Model
final class Objection: Remark {
    var isSettled = false
    var reason: String

    init(text: String, reason: String) {
        self.reason = reason
        super.init(text: text)
    }
}

/// Models of a class that states the main actor.
@Suite struct IsolatedModelTests {
    private static func container() throws -> ModelContainer {
        try ModelContainer(
            for: Draft.self, Objection.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test @MainActor func theMainContextInsertsFetchesAndDeletes() throws {
        let container = try Self.container()
        let context = container.mainContext
        let draft = Draft(title: "Preface")
        context.insert(draft)
        draft.remarks.append(Remark(text: "short"))
        draft.remarks.append(Objection(text: "long", reason: "taste"))
        try context.save()
        let found = try ModelContext(container).fetch(
            FetchDescriptor<Draft>(predicate: #Predicate { $0.title == "Preface" }))
        #expect(found.map(\.heading) == ["PREFACE"])
        #expect(found.first?.id == draft.id)
        #expect(found.first?.isOpen == false)
        let objections = found[0].remarks.compactMap { $0 as? Objection }
        #expect(objections.map(\.reason) == ["taste"])
        #expect(objections.map(\.isSettled) == [false])
        #expect(objections.first?.draft === found.first)
        context.delete(draft)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Remark>()) == 0)
    }

    @Test func theSchemaIsMadeAndRowsAreReadOnAnyThread() async throws {
        let container = try await Task.detached { try Self.container() }.value
        let id = try await MainActor.run {
            let draft = Draft(title: "Index")
            container.mainContext.insert(draft)
            try container.mainContext.save()
            return draft.persistentModelID
        }
        let titles = try await Task.detached {
            try ModelContext(container).fetch(FetchDescriptor<Draft>()).map(\.title)
        }.value
        #expect(titles == ["Index"])
        await MainActor.run {
            #expect((container.mainContext.model(for: id) as? Draft)?.heading == "INDEX")
        }
    }
}
