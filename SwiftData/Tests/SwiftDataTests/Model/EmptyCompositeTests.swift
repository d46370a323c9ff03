// Structures whose fields are all nil: a store has nothing for them.

import Foundation
import SwiftData
import Testing

private struct Limits: Codable, Equatable {
    var least: Int?
    var most: Int?
}

private struct Filter: Codable, Equatable {
    var text: String?
    var limits = Limits()
}

@Model
private final class Search {
    var title: String
    var filter: Filter = Filter(text: "x")
    var limits: Limits = Limits()
    var other: Limits?

    init(_ title: String) { self.title = title }
}

@Suite struct EmptyCompositeTests {
    private let container: ModelContainer

    init() throws {
        container = try ModelContainer(
            for: Search.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private func read() throws -> Search {
        try #require(try ModelContext(container).fetch(FetchDescriptor<Search>()).first)
    }

    @Test func theyAreSavedAndReadBack() throws {
        let context = ModelContext(container)
        let search = Search("a")
        context.insert(search)
        #expect(search.limits == Limits())
        try context.save()
        let found = try read()
        #expect(found.limits == Limits())
        #expect(found.filter == Filter(text: "x"))
        #expect(found.other == nil)
    }

    @Test func theLastFieldMayBecomeNil() throws {
        let context = ModelContext(container)
        let search = Search("a")
        context.insert(search)
        search.filter.limits.most = 3
        search.limits.least = 1
        try context.save()
        search.filter.text = nil
        search.limits.least = nil
        #expect(search.filter == Filter(text: nil, limits: Limits(most: 3)))
        #expect(search.limits == Limits())
        try context.save()
        search.filter.limits.most = nil
        #expect(search.filter == Filter(text: nil))
        try context.save()
        let found = try read()
        #expect(found.filter == Filter(text: nil))
        found.filter.limits.most = 4
        #expect(found.filter == Filter(text: nil, limits: Limits(most: 4)))
    }
}
