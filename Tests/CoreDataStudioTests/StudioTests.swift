import CoreData
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

/// A studio and a browser that went in.
struct Browser {
    let studio: Studio
    private(set) var cookie = ""
    private(set) var proof = ""
    let host: String

    init(_ studio: Studio, port: Int = 1) async throws {
        let host = "localhost:\(port)"
        let link = try #require(URLComponents(string: studio.makeLink(host: host)))
        let entered = await studio.respond(
            to: StudioRequest(
                method: "GET", target: "\(link.path)?\(link.query ?? "")", headers: ["Host": host]))
        try await self.init(studio, entered: entered, host: host)
    }

    /// Goes on with the session that an answer began.
    init(_ studio: Studio, entered: StudioResponse, host: String) async throws {
        (self.studio, self.host) = (studio, host)
        cookie = try #require(entered.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init))
        proof = try #require(try object(await get("session"))["proof"] as? String)
    }

    func get(_ path: String, headers: [String: String] = [:]) async -> StudioResponse {
        await studio.respond(
            to: StudioRequest(
                method: "GET", target: "/api/" + path,
                headers: ["Host": host, "Cookie": cookie].merging(headers) { $1 }))
    }

    func post(_ path: String, _ body: String, headers: [String: String] = [:]) async -> StudioResponse {
        await post(path, data: Data(body.utf8), headers: headers)
    }

    func post(_ path: String, data: Data, headers: [String: String] = [:]) async -> StudioResponse {
        let own = ["Host": host, "Cookie": cookie, "X-Studio-Proof": proof]
        return await studio.respond(
            to: StudioRequest(
                method: "POST", target: "/api/" + path, headers: own.merging(headers) { $1 },
                body: data))
    }

    func object(_ response: StudioResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
    }
}

struct StudioTests {
    private func request(_ target: String, _ headers: [String: String] = [:], method: String = "GET")
        -> StudioRequest
    {
        StudioRequest(
            method: method, target: target, headers: ["Host": "localhost:8080"].merging(headers) { $1 })
    }

    private let studio = Studio(coordinator: nil)

    @Test func `A link lets one browser in, once`() async throws {
        let link = studio.makeLink(host: "localhost:8080")
        #expect(link.hasPrefix("http://localhost:8080/?token="))
        let target = String(link.dropFirst("http://localhost:8080".count))
        let entered = await studio.respond(to: request(target))
        expect(entered.status, equals: 303)
        expect(entered.headers["Location"], equals: "/")
        let cookie = try #require(entered.headers["Set-Cookie"])
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        let again = await studio.respond(to: request(target))
        expect(again.status, equals: 401)
        #expect(again.headers["Set-Cookie"] == nil)
        let page = await studio.respond(to: request("/", ["Cookie": String(cookie.prefix { $0 != ";" })]))
        expect(page.status, equals: 200)
        #expect(String(decoding: page.body, as: UTF8.self).contains("<title>"))
    }

    @Test func `Without a session there is nothing to see`() async {
        for target in ["/", "/assets/scripts/app.js", "/api/session", "/?token=", "/api/data/entities"] {
            await expect(studio.respond(to: request(target)).status, equals: 401)
        }
        await expect(studio.respond(to: request("/assets/styles/base.css")).status, equals: 200)
        await expect(studio.respond(to: request("/", ["Cookie": "coredata-studio=0"])).status, equals: 401)
    }

    @Test func `Other names and other sites are refused`() async throws {
        let browser = try await Browser(studio)
        await expect(browser.get("session").status, equals: 200)
        for host in ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:80"] {
            await expect(browser.get("session", headers: ["Host": host]).status, equals: 421)
        }
        await expect(browser.get("session", headers: ["Host": "[::1]:1"]).status, equals: 200)
        #expect(await browser.get("session", headers: ["Origin": "http://evil.example"]).status == 403)
        #expect(await browser.get("session", headers: ["Origin": "http://localhost:1"]).status == 200)
        await expect(browser.get("session", headers: ["Sec-Fetch-Site": "cross-site"]).status, equals: 403)
    }

    @Test func `Every answer forbids foreign scripts`() async {
        for target in ["/", "/nowhere", "/api/session"] {
            let headers = await studio.respond(to: request(target)).headers
            expect(headers["Content-Security-Policy"]?.contains("script-src 'self';"), equals: true)
            expect(headers["Referrer-Policy"], equals: "no-referrer")
            expect(headers["X-Content-Type-Options"], equals: "nosniff")
        }
    }

    @Test func `A path is no file name`() async throws {
        let browser = try await Browser(studio)
        for path in [
            "../assets/%2e%2e%2fStudio.swift", "../assets/..%2F..%2Fetc%2Fpasswd", "../assets/",
            "../assets/scripts", "../assets/app.js", "../assets/scripts/../index.html",
        ] {
            let response = await browser.get(path)
            #expect([404, 401].contains(response.status))
        }
    }

    @Test func `Scripts and styles are at their paths`() async throws {
        let browser = try await Browser(studio)
        func page(_ path: String) async -> StudioResponse {
            await studio.respond(
                to: StudioRequest(
                    method: "GET", target: "/assets/" + path,
                    headers: ["Host": browser.host, "Cookie": browser.cookie]))
        }
        for (path, type) in [
            ("scripts/app.js", "text/javascript"), ("styles/base.css", "text/css"),
            ("icon.svg", "image/svg+xml"),
        ] {
            let response = await page(path)
            expect(response.status, equals: 200)
            expect(response.headers["Content-Type"]?.hasPrefix(type), equals: true)
        }
        await expect(page("tsconfig.json").status, equals: 404)
    }

    @Test func `A method that no route has is refused, and a body that is too long`() async throws {
        let browser = try await Browser(studio)
        await expect(browser.post("session", "{}").status, equals: 405)
        await expect(browser.get("nothing").status, equals: 404)
        await expect(studio.respond(to: request("/", method: "DELETE")).status, equals: 405)
        let long = StudioRequest(
            method: "POST", target: "/api/session", headers: ["Host": "localhost"],
            body: Data(count: (16 << 20) + 1))
        await expect(studio.respond(to: long).status, equals: 413)
    }

    @Test func `A studio that is mounted below a path keeps to it`() async throws {
        var options = StudioOptions()
        options.basePath = "/admin/studio/"
        options.entrance = .server
        options.hosts = ["example.org"]
        let studio = Studio(coordinator: nil, options: options)
        func ask(_ target: String, user: String, cookie: String = "") async -> StudioResponse {
            await studio.respond(
                to: StudioRequest(
                    method: "GET", target: target, headers: ["Host": "example.org", "Cookie": cookie],
                    user: user))
        }
        await expect(ask("/admin/studio", user: "ann").headers["Location"], equals: "/admin/studio/")
        let entered = await ask("/admin/studio/", user: "ann")
        let cookie = try #require(entered.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init))
        expect(entered.headers["Set-Cookie"]?.contains("Path=/admin/studio/"), equals: true)
        await expect(ask("/admin/studio/api/session", user: "ann", cookie: cookie).status, equals: 200)
        await expect(ask("/admin/studio/api/session", user: "bob", cookie: cookie).status, equals: 401)
        await expect(ask("/elsewhere", user: "ann", cookie: cookie).status, equals: 404)
    }

    @Test func `Studios on the ports of one host keep their sessions apart`() async throws {
        let (one, other) = (try await Browser(studio), try await Browser(Studio(coordinator: nil), port: 2))
        // A browser sends a host's cookies to all its ports.
        let both = ["Cookie": "\(one.cookie); \(other.cookie)"]
        await expect(one.get("session", headers: both).status, equals: 200)
        await expect(other.get("session", headers: both).status, equals: 200)
        await expect(other.get("session", headers: ["Cookie": one.cookie]).status, equals: 401)
    }
}
