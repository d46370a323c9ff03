import CoreData
import CoreDataStudio
import Testing

@testable import SuperDB

/// The administration pages judge, mix colours and save as the program does.
@Suite struct AdministrationTests {
    /// Asks the studio as a browser would, on a store with the sample heroes.
    private func withStudio(
        _ body: (_ ask: (String, String?) async throws -> String, URL) async throws -> Void
    )
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "SuperDB-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("SuperDB.sqlite")
        let container = try Database(file: file).container
        let context = container.newBackgroundContext()
        try await context.perform {
            Database.insertHeroes(in: context)
            try context.save()
        }
        var options = StudioOptions()
        options.entrance = .server
        options.actions = heroActions
        let studio = Studio(container: container, options: options)
        var headers = ["Host": "localhost"]
        let entered = await studio.respond(to: StudioRequest(method: "GET", target: "/", headers: headers))
        headers["Cookie"] = entered.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
        let session = await studio.respond(
            to: StudioRequest(method: "GET", target: "/api/session", headers: headers))
        let answer = try JSONSerialization.jsonObject(with: session.body) as? [String: Any]
        headers["X-Studio-Proof"] = try #require(answer?["proof"] as? String)
        let known = headers
        try await body(
            { path, json in
                let request = StudioRequest(
                    method: json == nil ? "GET" : "POST", target: "/api/data/" + path, headers: known,
                    body: Data((json ?? "").utf8))
                return String(decoding: await studio.respond(to: request).body, as: UTF8.self)
            }, file)
    }

    @Test func theProgramsValidatorsSpeakBesideTheFields() async throws {
        try await withStudio { ask, file in
            let page = try await ask(
                "objects/Hero/1", #"{"key": "birthDate", "value": "2999-01-01T00:00:00Z"}"#)
            #expect(page.contains("can't be born in the future"), "\(page)")
            let refused = try await ask("save", "{}")
            #expect(refused.contains(#""outcome":"invalid""#), "\(refused)")
            #expect(try rows("SELECT COUNT(*) FROM ZHERO WHERE ZBIRTHDATE > 1000000000", in: file) == [["0"]])
        }
    }

    @Test func aHeroIsMaleOrFemaleAndHasAnAge() async throws {
        try await withStudio { ask, file in
            let refused = try await ask(
                "objects/Hero/1", #"{"key": "sex", "value": "None of your business"}"#)
            #expect(refused.contains("“Sex” is one of these: Male, Female."), "\(refused)")
            let page = try await ask("objects/Hero/1", #"{"key": "sex", "value": "Female"}"#)
            #expect(page.contains(#""section":"General""#), "\(page)")
            let hero = try JSONSerialization.jsonObject(with: Data(page.utf8)) as? [String: Any]
            let fields = try #require(hero?["fields"] as? [[String: Any]])
            let age = try #require(fields.first { $0["key"] as? String == "age" })
            #expect(age["label"] as? String == "Age" && age["value"] is Int && age["lock"] is String)
            // The row stands below the date that it follows from.
            #expect(
                fields.compactMap { $0["key"] as? String }
                    == ["name", "birthDate", "age", "favouriteColour", "secretIdentity", "sex"])
        }
    }

    @Test func theProgramsActionIsOfferedAndDone() async throws {
        try await withStudio { ask, file in
            #expect(try await ask("entities/Hero", nil).contains("Reveal the identity"))
            let answer = try await ask(
                "actions", #"{"entity": "Hero", "action": "Reveal the identity", "ids": ["Hero/1"]}"#)
            #expect(answer.contains("There is no secret any more."), "\(answer)")
            #expect(try await ask("save", "{}").contains(#""outcome":"saved""#))
            let known = try rows("SELECT ZSECRETIDENTITY IS NULL FROM ZHERO WHERE Z_PK = 1", in: file)
            #expect(known == [["1"]])
        }
    }

    @Test func coloursAreMixedAndWrittenByTheTransformer() async throws {
        try await withStudio { ask, file in
            let row = try #require(
                try rows("SELECT Z_PK FROM ZHERO WHERE ZNAME = 'Granite'", in: file).first?.first)
            let mixed = #"{"$": "color", "red": 1, "green": 0, "blue": 0.5, "alpha": 1}"#
            let page = try await ask(
                "objects/Hero/\(try #require(row))", #"{"key": "favouriteColour", "value": \#(mixed)}"#)
            #expect(page.contains(#""kind":"color""#), "\(page)")
            #expect(try await ask("save", "{}").contains(#""outcome":"saved""#))
            let query = "SELECT CAST(ZFAVOURITECOLOUR AS TEXT) FROM ZHERO WHERE ZNAME = 'Granite'"
            #expect(try rows(query, in: file) == [["[1,0,0.5,1]"]])
        }
    }
}
