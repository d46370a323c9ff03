import CoreDataTestSupport
import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// What a route takes of a person.
private enum Need: Comparable {
    /// A session: it answers what is the session's own, and of others' only what the role covers.
    case session
    case read, edit, model
}

/// A request that a route understands, so that nothing but the role is in its way.
private struct RouteCase {
    let need: Need
    let path: String
    let body: String

    init(_ need: Need, _ path: String, _ body: String = "{}") {
        (self.need, self.path, self.body) = (need, path, body)
    }
}

/// Every route, with the role that it needs: a route that isn't listed here fails the test.
private let cases: [String: RouteCase] = [
    "GET session": RouteCase(.session, "session"),
    "GET data/entities": RouteCase(.session, "data/entities"),
    "GET data/counts": RouteCase(.session, "data/counts"),
    "GET data/changes": RouteCase(.session, "data/changes?wait=0"),
    "GET data/unsaved": RouteCase(.session, "data/unsaved"),
    "POST data/stop": RouteCase(.session, "data/stop", #"{"question": {"page": "x", "number": 1}}"#),
    "POST data/undo": RouteCase(.session, "data/undo"),
    "POST data/redo": RouteCase(.session, "data/redo"),
    "POST data/discard": RouteCase(.session, "data/discard"),
    // Without changes of the session's own there is nothing to save.
    "POST data/save": RouteCase(.session, "data/save"),
    "POST data/resolution": RouteCase(.session, "data/resolution", #"{"theirs": {}}"#),

    "GET data/entities/:name": RouteCase(.read, "data/entities/Person"),
    "POST data/rows": RouteCase(.read, "data/rows", person),
    "POST data/count": RouteCase(.read, "data/count", person),
    "GET data/choices/:entity": RouteCase(.read, "data/choices/Person"),
    "POST data/query/text": RouteCase(
        .read, "data/query/text", #"{"query": {"entity": "Person"}, "form": "request"}"#),
    "POST data/rows/text": RouteCase(
        .read, "data/rows/text", #"{"entity": "Person", "ids": ["Person/1"], "form": "csv"}"#),
    "POST data/facet": RouteCase(
        .read, "data/facet", #"{"query": {"entity": "Person"}, "column": "isActive"}"#),
    "POST data/chart": RouteCase(
        .read, "data/chart",
        #"{"query": {"entity": "Person"}, "column": "isActive", "measure": {"function": "count"}}"#),
    "GET data/objects/:entity/:number": RouteCase(.read, "data/objects/Person/1"),
    "GET data/objects/:entity/:number/members/:key": RouteCase(.read, "data/objects/Person/1/members/notes"),
    "GET data/objects/:entity/:number/rows/:key": RouteCase(.read, "data/objects/Person/1/rows/notes"),
    "GET data/objects/:entity/:number/report/:key": RouteCase(.read, "data/objects/Person/1/report/older"),
    "GET data/objects/:entity/:number/bytes/:key": RouteCase(.read, "data/objects/Person/1/bytes/name"),
    "POST data/deletions/preview": RouteCase(.read, "data/deletions/preview", #"{"ids": ["Person/1"]}"#),
    "GET data/export/:entity": RouteCase(.read, "data/export/Person?query=%7B%22entity%22:%22Person%22%7D"),
    "GET data/history": RouteCase(.read, "data/history"),
    "GET data/statements": RouteCase(.read, "data/statements"),
    "POST data/statements/plan": RouteCase(
        .read, "data/statements/plan", #"{"action": 1, "statement": 0}"#),
    "POST data/sql": RouteCase(.read, "data/sql", #"{"sql": "SELECT 1"}"#),
    "POST data/rehearsal": RouteCase(.read, "data/rehearsal"),
    "GET data/views/:entity": RouteCase(.read, "data/views/Person"),
    "POST data/predicate/parse": RouteCase(
        .read, "data/predicate/parse", #"{"entity": "Person", "text": "age > 3"}"#),
    "POST data/predicate/print": RouteCase(
        .read, "data/predicate/print", #"{"entity": "Person", "form": {"type": "text", "text": "age > 3"}}"#),
    "POST data/predicate/complete": RouteCase(
        .read, "data/predicate/complete", #"{"entity": "Person", "text": "a"}"#),
    "GET model": RouteCase(.read, "model"),
    "GET model/fields": RouteCase(.read, "model/fields"),
    "GET model/change": RouteCase(.read, "model/change"),
    "GET model/graph": RouteCase(.read, "model/graph"),
    "GET model/graph/:format": RouteCase(.read, "model/graph/svg"),
    "GET model/compare": RouteCase(.read, "model/compare?from=Club&to=Club"),
    "GET model/preview/swift": RouteCase(.read, "model/preview/swift"),
    "GET model/preview/objc": RouteCase(.read, "model/preview/objc"),
    "GET model/preview/sql": RouteCase(.read, "model/preview/sql"),
    "GET model/hashes": RouteCase(.read, "model/hashes"),
    "GET model/mappings": RouteCase(.read, "model/mappings"),
    "GET model/mappings/one": RouteCase(.read, "model/mappings/one?file=x"),
    "POST model/try": RouteCase(.read, "model/try", #"{"version": "Club", "commands": []}"#),
    "POST model/mappings/try": RouteCase(
        .read, "model/mappings/try", #"{"file": "x", "change": 0, "commands": []}"#),
    "POST model/predicate/parse": RouteCase(.read, "model/predicate/parse", #"{"text": "a == 1"}"#),
    "POST model/predicate/print": RouteCase(
        .read, "model/predicate/print", #"{"form": {"type": "text", "text": "a == 1"}}"#),

    "POST data/objects": RouteCase(.edit, "data/objects", #"{"entity": "Note"}"#),
    "POST data/objects/:entity/:number": RouteCase(
        .edit, "data/objects/Person/1", #"{"key": "age", "value": 77}"#),
    "POST data/values": RouteCase(
        .edit, "data/values", #"{"ids": ["Person/1"], "key": "age", "value": 77}"#),
    "POST data/objects/:entity/:number/members": RouteCase(
        .edit, "data/objects/Person/1/members", #"{"key": "notes", "remove": ["Note/1"]}"#),
    "POST data/objects/:entity/:number/bytes/:key": RouteCase(.edit, "data/objects/Person/1/bytes/photo"),
    "POST data/deletions": RouteCase(.edit, "data/deletions", #"{"ids": ["Note/1"]}"#),
    "POST data/actions": RouteCase(
        .edit, "data/actions", #"{"entity": "Person", "action": "Age", "ids": ["Person/1"]}"#),
    "POST data/import/:entity/preview": RouteCase(.edit, "data/import/Person/preview", "name\nEve\n"),
    "POST data/import/:entity": RouteCase(
        .edit, "data/import/Person?mapping=%7B%22name%22:%22name%22%7D", "name\nEve\n"),
    "POST data/views": RouteCase(.edit, "data/views", #"{"name": "All", "query": {"entity": "Person"}}"#),
    "POST data/views/remove": RouteCase(.edit, "data/views/remove", #"{"entity": "Person", "name": "All"}"#),

    "POST data/history/purge": RouteCase(.model, "data/history/purge", #"{"before": "2001-01-01"}"#),
    "GET data/migration": RouteCase(.model, "data/migration"),
    "GET data/migration/progress": RouteCase(.model, "data/migration/progress"),
    "POST data/migration": RouteCase(.model, "data/migration", #"{"backsUp": true}"#),
    "GET model/new": RouteCase(.model, "model/new"),
    "POST model/new": RouteCase(.model, "model/new", #"{"from": "empty"}"#),
    "POST model/new/store": RouteCase(.model, "model/new/store"),
    "POST model/edit": RouteCase(
        .model, "model/edit", #"{"version": "Club", "commands": [{"do": "add", "kind": "entity"}]}"#),
    "POST model/undo": RouteCase(.model, "model/undo"),
    "POST model/redo": RouteCase(.model, "model/redo"),
    "POST model/reload": RouteCase(.model, "model/reload"),
    "POST model/left": RouteCase(.model, "model/left", #"{"choice": "discard"}"#),
    "POST model/save": RouteCase(.model, "model/save"),
    "POST model/place": RouteCase(
        .model, "model/place", #"{"version": "Club", "places": [{"name": "Note", "x": 1, "y": 1}]}"#),
    "POST model/layout": RouteCase(.model, "model/layout"),
    "POST model/versions": RouteCase(.model, "model/versions", #"{"name": "Club 2", "basedOn": "Club"}"#),
    "POST model/current": RouteCase(.model, "model/current", #"{"version": "Club"}"#),
    "POST model/classes": RouteCase(.model, "model/classes", #"{"folder": "Classes"}"#),
    "POST model/mappings/new": RouteCase(
        .model, "model/mappings/new", #"{"name": "Way", "source": "Club", "destination": "Club"}"#),
    "POST model/mappings/edit": RouteCase(
        .model, "model/mappings/edit", #"{"file": "x", "change": 0, "commands": []}"#),
    "POST model/mappings/models": RouteCase(
        .model, "model/mappings/models", #"{"file": "x", "source": "Club", "destination": "Club"}"#),
    "POST model/mappings/undo": RouteCase(.model, "model/mappings/undo", #"{"file": "x"}"#),
    "POST model/mappings/redo": RouteCase(.model, "model/mappings/redo", #"{"file": "x"}"#),
    "POST model/mappings/save": RouteCase(.model, "model/mappings/save", #"{"file": "x"}"#),
    "POST model/mappings/discard": RouteCase(.model, "model/mappings/discard", #"{"file": "x"}"#),
]

private let person = #"{"query": {"entity": "Person"}}"#

struct SharedStudioRouteTests {
    private func answer(_ route: String, _ one: RouteCase, _ browser: Browser) async -> StudioResponse {
        route.hasPrefix("GET") ? await browser.get(one.path) : await browser.post(one.path, one.body)
    }

    @Test func `Every route is listed with the role that it needs`() async throws {
        let shared = try await SharedClub()
        expect(Set(shared.studio.routes.patterns), equals: Set(cases.keys))
    }

    /// Each walks on a store and a model of their own, in the order of names.
    @Test(arguments: [
        (SharedClub.reader, Need.read), (SharedClub.editor, .edit), (SharedClub.designer, .model),
    ])
    private func `A role opens its routes and no others`(user: StudioUser, covered: Need) async throws {
        let shared = try await SharedClub()
        let browser = try await shared.browser(user)
        let model = try shared.modelText()
        for (route, one) in cases.sorted(by: { $0.key < $1.key }) {
            let answer = await answer(route, one, browser)
            let text = String(decoding: answer.body.prefix(300), as: UTF8.self)
            if one.need > covered {
                expect(answer.status, equals: 403, "\(route): \(answer.status) \(text)")
            } else {
                // What the session lacks otherwise, as a mapping model of that name, is no question of roles.
                #expect([200, 404, 409, 422].contains(answer.status), "\(route): \(answer.status) \(text)")
            }
        }
        if covered < .model { try expect(shared.modelText(), equals: model) }
        if covered < .edit {
            try await expect(browser.json("data/unsaved")["count"] as? Int, equals: 0)
            try expect(shared.club.sql("SELECT COUNT(*) FROM ZPERSON WHERE ZAGE = 77"), equals: [["0"]])
        }
    }

    @Test func `Who isn't named gets nothing from any route`() async throws {
        let shared = try await SharedClub()
        let stranger = try await shared.browser(StudioUser(name: "eve", role: .model))
        for (route, one) in cases where one.need > .session {
            let answer = await answer(route, one, stranger)
            let text = String(decoding: answer.body.prefix(300), as: UTF8.self)
            expect(answer.status, equals: 403, "\(route): \(answer.status) \(text)")
        }
        #expect(try await stranger.json("data/counts").isEmpty)
        expect((try await stranger.json("data/entities")["entities"] as? [Any])?.isEmpty, equals: true)
    }
}
