// The model's addresses, asked as a browser does.

import CoreData
import CoreDataFiles
import CoreDataSchema
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct ModelRoutesTests {
    private let model: SmallModel

    init() throws { model = try SmallModel() }

    private func browser(_ change: (inout StudioOptions) -> Void = { _ in }) async throws -> Browser {
        var options = StudioOptions()
        options.modelFile = model.url
        change(&options)
        return try await Browser(Studio(coordinator: nil, options: options))
    }

    private func id(_ browser: Browser, _ name: String) async throws -> Int {
        let answer = try browser.object(await browser.get("model"))
        let root = try #require(answer["root"] as? [String: Any])
        let children = try #require(root["children"] as? [[String: Any]])
        let entity = children.first { ($0["values"] as? [String: Any])?["name"] as? String == name }
        return try #require(entity?["id"] as? Int)
    }

    @Test
    func editsAreSharedAndSaved() async throws {
        let browser = try await browser()
        let hero = try await id(browser, "Hero")
        let edit = """
            {"version": "Heroes", "commands": [{"do": "set", "ids": [\(hero)], "field": "isAbstract", "value": true}]}
            """
        await expect(browser.post("model/edit", edit).status, equals: 200)
        let other = try await Browser(browser.studio)
        let answer = try other.object(await other.get("model"))
        expect(answer["isUnsaved"] as? Bool, equals: true)
        expect(answer["undo"] as? String, equals: "Abstract of Hero")
        await expect(browser.post("model/save", "{}").status, equals: 200)
        try expect(ModelFile.read(model.url).entities.first { $0.name == "Hero" }?.isAbstract, equals: true)
        await expect(browser.post("model/undo", "{\"version\": \"Heroes\"}").status, equals: 200)
        await expect(browser.post("model/redo", "{\"version\": \"Heroes\"}").status, equals: 200)
        try expect(browser.object(await browser.get("model/change"))["change"] as? Int, equals: 4)
    }

    @Test
    func trialsChangeNothing() async throws {
        let browser = try await browser()
        let hero = try await id(browser, "Hero")
        let response = await browser.post(
            "model/try",
            "{\"version\": \"Heroes\", \"commands\": [{\"do\": \"set\", \"ids\": [\(hero)], \"field\": \"parentEntity\", \"value\": \"Hero\"}]}"
        )
        let checks = try #require(try browser.object(response)["checks"] as? [[String: Any]])
        #expect(checks.contains { $0["field"] as? String == "parentEntity" })
        let refused = await browser.post(
            "model/try",
            "{\"version\": \"Heroes\", \"commands\": [{\"do\": \"rename\", \"id\": \(hero), \"name\": \"Power\"}]}"
        )
        try expect(browser.object(refused)["refusal"] as? String, equals: "There is \"Power\" already.")
        try expect(browser.object(await browser.get("model/change"))["change"] as? Int, equals: 0)
    }

    @Test
    func numbersOfAnotherOpeningAreRefused() async throws {
        let first = try await browser()
        let opening = try #require(try first.object(await first.get("model"))["opening"] as? String)
        func edit(_ browser: Browser, _ path: String) async -> StudioResponse {
            await browser.post(
                path, "{\"version\": \"Heroes\", \"opening\": \"\(opening)\", \"commands\": []}")
        }
        await expect(edit(first, "model/edit").status, equals: 200)
        let second = try await browser()
        for path in ["model/edit", "model/try"] {
            let refusal = await edit(second, path)
            expect(refusal.status, equals: 409)
            #expect(String(decoding: refusal.body, as: UTF8.self).contains("started again"))
        }
        let change = try second.object(await second.get("model/change?since=42&wait=20"))
        #expect(change["opening"] as? String != opening)
        expect(change["change"] as? Int, equals: 0)
    }

    @Test
    func anAnswerIsOfOneMoment() async throws {
        let browser = try await browser()
        func configurations(_ body: Data) throws -> (count: Int, change: Int) {
            let answer = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            let root = try #require(answer["root"] as? [String: Any])
            let children = try #require(root["children"] as? [[String: Any]])
            let change = try #require(answer["change"] as? Int)
            return (children.count { $0["kind"] as? String == "configuration" }, change)
        }
        let before = try configurations(await browser.get("model").body).count
        let edit = "{\"version\": \"Heroes\", \"commands\": [{\"do\": \"add\", \"kind\": \"configuration\"}]}"
        let answers = await withTaskGroup(of: Data.self, returning: [Data].self) { group in
            for number in 0..<60 {
                group.addTask {
                    number % 2 == 0
                        ? await browser.post("model/edit", edit).body : await browser.get("model").body
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for body in answers {
            let answer = try configurations(body)
            expect(answer.count, equals: before + answer.change)
        }
    }

    @Test
    func rowsAreCountedOnlyForWhoMaySeeObjects() async throws {
        let older = try ModelFile.read(model.url)
        let store = model.url.deletingLastPathComponent().appendingPathComponent("heroes.sqlite")
        for isAllowed in [true, false] {
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: NSManagedObjectModel(schema: older))
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: nil)
            var options = StudioOptions()
            options.modelFile = model.url
            options.authorise = { $0.action != .read || isAllowed }
            let browser = try await Browser(Studio(coordinator: coordinator, options: options))
            await expect(
                browser.post("model/versions", "{\"name\": \"New\", \"basedOn\": \"Heroes\"}").status,
                equals: 200)
            let edit = "{\"version\": \"New\", \"commands\": [{\"do\": \"add\", \"kind\": \"entity\"}]}"
            await expect(browser.post("model/edit", edit).status, equals: 200)
            let compared = try browser.object(await browser.get("model/compare?from=Heroes&to=New"))
            let verdict = try #require(compared["verdict"] as? [String: Any])
            expect(verdict["isCounted"] as? Bool, equals: isAllowed)
        }
    }

    @Test
    func aFileWithoutVersionsIsToldAndReadOnceThereAreSome() async throws {
        let empty = model.folder.file("Empty.xcdatamodeld")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let browser = try await browser { $0.modelFile = empty }
        let answer = await browser.get("model")
        expect(answer.status, equals: 404)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Empty.xcdatamodeld has no versions"))
        try FileManager.default.copyItem(
            at: ModelFiles(model.url).folder(of: "Heroes"), to: ModelFiles(empty).folder(of: "Heroes"))
        await expect(browser.get("model").status, equals: 200)
    }

    @Test
    func conflictsAreAskedAbout() async throws {
        let browser = try await browser()
        let hero = try await id(browser, "Hero")
        _ = await browser.post(
            "model/edit",
            "{\"version\": \"Heroes\", \"commands\": [{\"do\": \"set\", \"ids\": [\(hero)], \"field\": \"isAbstract\", \"value\": true}]}"
        )
        try Data("<model/>".utf8).write(to: ModelFiles(model.url).contents(of: "Heroes"))
        await expect(browser.post("model/save", "{}").status, equals: 409)
        await expect(browser.post("model/save", "{\"overwrite\": true}").status, equals: 200)
        try expect(ModelFile.read(model.url).entities.count, equals: 2)
    }

    @Test
    func nothingIsEditedWhereThatIsForbidden() async throws {
        let readOnly = try await browser { $0.isReadOnly = true }
        try expect(
            readOnly.object(await readOnly.get("model"))["obstacle"] as? String,
            equals: "The studio is read-only.")
        let edit = "{\"version\": \"Heroes\", \"commands\": [{\"do\": \"add\", \"kind\": \"entity\"}]}"
        for path in ["edit", "undo", "redo", "save", "reload", "place", "layout", "versions", "current"] {
            await expect(readOnly.post("model/" + path, edit).status, equals: 403, "\(path)")
        }
        let watched = try await browser { $0.authorise = { $0.action != .editModel } }
        await expect(watched.post("model/edit", edit).status, equals: 403)
        await expect(watched.get("model").status, equals: 200)
        let blind = try await browser { $0.authorise = { $0.action != .readModel } }
        for path in [
            "fields", "change", "graph", "graph/svg", "compare?from=Heroes&to=Heroes", "preview/swift",
            "preview/sql",
        ] {
            await expect(blind.get("model/" + path).status, equals: 403, "\(path)")
        }
        await expect(blind.get("model").status, equals: 403)
    }

    @Test
    func diagramsAndPreviewsAreGiven() async throws {
        let browser = try await browser()
        let graph = try browser.object(await browser.get("model/graph"))
        expect((graph["boxes"] as? [[String: Any]])?.count, equals: 2)
        expect((graph["lines"] as? [[String: Any]])?.count, equals: 1)
        let near = try browser.object(await browser.get("model/graph?around=Hero&steps=0"))
        expect((near["boxes"] as? [[String: Any]])?.count, equals: 1)
        await expect(browser.get("model/graph?around=Nobody").status, equals: 404)
        let picture = await browser.get("model/graph/svg")
        expect(picture.headers["Content-Disposition"], equals: "attachment; filename=\"Heroes.svg\"")
        await expect(browser.get("model/graph/png").status, equals: 404)
        await expect(browser.post("model/layout", "{\"version\": \"Heroes\"}").status, equals: 200)
        try expect(browser.object(await browser.get("model/graph"))["isAutomatic"] as? Bool, equals: false)
        await expect(browser.get("model/preview/sql").status, equals: 200)
        await expect(browser.get("model/preview/swift").status, equals: 200)
    }

    @Test
    func versionsAreAddedAndCompared() async throws {
        let browser = try await browser()
        await expect(
            browser.post("model/versions", "{\"name\": \"Two\", \"basedOn\": \"Heroes\"}").status, equals: 200
        )
        await expect(browser.post("model/current", "{\"version\": \"Two\"}").status, equals: 200)
        let compared = try browser.object(await browser.get("model/compare?from=Heroes&to=Two"))
        expect((compared["differences"] as? [Any])?.isEmpty, equals: true)
        expect((compared["verdict"] as? [String: Any])?["isInferable"] as? Bool, equals: true)
        await expect(browser.get("model?version=Three").status, equals: 404)
        await expect(
            browser.post("model/edit", "{\"version\": \"Three\", \"commands\": []}").status, equals: 422)
    }

    @Test
    func withoutAModelThereIsAWord() async throws {
        let browser = try await Browser(Studio(coordinator: nil))
        let response = await browser.get("model")
        expect(response.status, equals: 404)
        #expect(String(decoding: response.body, as: UTF8.self).contains("There is no model"))
    }
}
