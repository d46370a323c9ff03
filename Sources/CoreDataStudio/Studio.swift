// The studio as a function from request to response.

public import CoreData
import StoreTools

/// Pages to edit models, look at objects and change them.
///
/// Mount it in any server: hand each request below ``StudioOptions/basePath`` to ``respond(to:)`` and send what it
/// gives. `StudioServer`, of the trait `Studio`, is such a server.
public final class Studio: Sendable {
    /// The options that the studio was set up with.
    public var options: StudioOptions { context.options }
    let context: StudioContext
    private let watch: StudioGuard
    private let pages: StudioPages
    let routes: StudioRoutes

    static let bodyLimit = 16 << 20

    /// The studio of an app: its objects, with its own classes, validators and transformers.
    ///
    /// - Parameters:
    ///   - container: the app's container, whose stores are shown.
    ///   - options: how the studio is protected, and what it shows.
    public convenience init(container: NSPersistentContainer, options: StudioOptions = StudioOptions()) {
        self.init(
            StudioContext(
                coordinator: container.persistentStoreCoordinator, container: container, options: options))
    }

    /// A studio for a coordinator's stores, or for ``StudioOptions/modelFile`` alone.
    ///
    /// - Parameters:
    ///   - coordinator: the coordinator; nil for a model alone.
    ///   - options: how the studio is protected, and what it shows.
    public convenience init(
        coordinator: NSPersistentStoreCoordinator?, options: StudioOptions = StudioOptions()
    ) {
        self.init(StudioContext(coordinator: coordinator, container: nil, options: options))
    }

    private init(_ context: StudioContext) {
        self.context = context
        watch = StudioGuard(context.options)
        pages = StudioPages(folder: context.options.pagesFolder)
        var routes = StudioRoutes()
        for area in Self.areas { area.add(to: &routes) }
        self.routes = routes
    }

    private static let areas: [any StudioArea] = [
        SessionRoutes(), DataRoutes(), ModelRoutes(), MappingRoutes(), NewModelRoutes(),
    ]

    /// Returns the address for one browser to get in with; it works once.
    ///
    /// - Parameter host: the server's name and port, as in `localhost:8080`.
    public func makeLink(host: String) -> String {
        "http://\(host)\(options.basePath)?token=\(watch.makeLinkToken())"
    }

    /// Returns the address for one browser of a user to get in with; it works once.
    ///
    /// The secret stands behind `#`, which browsers send to no server, and leaves the address before the page shows anything.
    ///
    /// - Parameters:
    ///   - host: the server's name and port, as in `192.168.1.5:8080`.
    ///   - user: one of ``StudioOptions/users``; a person who isn't may do nothing.
    public func makeLink(host: String, for user: StudioUser) -> String {
        "http://\(host)\(options.basePath)#token=\(watch.makeLinkToken(for: user.name))"
    }

    /// Returns the answer to a request. Never throws: what goes wrong is an answer, too.
    public func respond(to request: StudioRequest) async -> StudioResponse {
        var response: StudioResponse
        do {
            response = try await answer(request)
        } catch let problem as StudioProblem {
            response = .failure(problem.status, message: problem.message, details: problem.details)
        } catch let failure as ToolFailure {
            response = .failure(422, message: failure.description)
        } catch {
            response = .failure(500, message: readable(error))
        }
        response.headers.merge(Self.safety) { own, _ in own }
        return response
    }

    /// Closes the stores that the studio opened itself, after a migration. Those that it was given stay open.
    ///
    /// - Parameter given: the coordinator that the studio was made with.
    /// - Throws: the errors of closing a store.
    public func closeOwnStores(except given: NSPersistentStoreCoordinator?) throws {
        guard let coordinator = context.coordinator, coordinator !== given else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Answers the requests that wait for news, before a server stops.
    func endWaiting() { context.end() }

    private func answer(_ request: StudioRequest) async throws -> StudioResponse {
        try watch.checkHost(request)
        guard request.body.count <= Self.bodyLimit else {
            throw StudioProblem(status: 413, "That is more than \(Self.bodyLimit >> 20) MB at once.")
        }
        guard let path = parts(of: request.path) else { return .redirect(to: options.basePath) }
        guard request.method == "GET" || request.method == "POST" else {
            throw StudioProblem(status: 405, "The studio answers GET and POST only.")
        }
        if request.method == "POST", path == ["enter"] { return try enterAsUser(request) }
        guard let session = watch.session(of: request) else { return try enter(request, path: path) }
        switch path.first {
        case nil:
            return request.query["token"] == nil
                ? pages.response("index.html") : .redirect(to: options.basePath)
        case "assets": return pages.response(path.dropFirst().joined(separator: "/"))
        case "api": return try await call(request, path: Array(path.dropFirst()), session: session)
        default: throw StudioProblem(status: 404, "There is nothing at this address.")
        }
    }

    private func call(_ request: StudioRequest, path: [String], session: StudioSession) async throws
        -> StudioResponse
    {
        try watch.checkOrigin(request)
        let (handler, parameters) = try routes.match(request.method, path: path)
        if request.method == "POST" { try watch.checkProof(request, session: session) }
        return try await handler(
            StudioCall(request: request, parameters: parameters, session: session, studio: context))
    }

    /// Lets in who may come in, and sends them to the page without the token in its address.
    private func enter(_ request: StudioRequest, path: [String]) throws -> StudioResponse {
        if request.method == "GET", path.isEmpty, let session = watch.enter(request) {
            var response = StudioResponse.redirect(to: options.basePath)
            response.headers["Set-Cookie"] = watch.cookieHeader(session, request: request)
            return response
        }
        if path.first == "api" {
            throw StudioProblem(status: 401, "The session has ended: open the studio's link again.")
        }
        if request.method == "GET", path.first == "assets" {
            let asset = path.dropFirst().joined(separator: "/")
            if Self.openAssets.contains(asset) { return pages.response(asset) }
        }
        var response = pages.response(options.users.isEmpty ? "closed.html" : "enter.html")
        response.status = 401
        return response
    }

    /// The files of the pages that strangers see.
    private static let openAssets = ["styles/base.css", "scripts/enter.js"]

    private func enterAsUser(_ request: StudioRequest) throws -> StudioResponse {
        try watch.checkOrigin(request)
        guard let session = watch.enterAsUser(request) else {
            throw StudioProblem(
                status: 401,
                "This link was used before, or is of an earlier run of the studio: ask for another one.")
        }
        var response = try StudioResponse.json([String: String]())
        response.headers["Set-Cookie"] = watch.cookieHeader(session, request: request)
        return response
    }

    /// The path below the base, in parts; `nil` if it's the base without its slash at the end.
    private func parts(of path: String) -> [String]? {
        guard path.hasPrefix(options.basePath) else { return path + "/" == options.basePath ? nil : ["?"] }
        let rest = path.dropFirst(options.basePath.count)
        return rest.split(separator: "/").map { $0.removingPercentEncoding ?? "?" }
    }

    /// The header fields of every answer: only our own scripts and styles run, nobody shows us in a
    /// frame, no address leaks.
    static let safety = [
        "Content-Security-Policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
            + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    ]
}

extension StudioResponse {
    static func redirect(to path: String) -> StudioResponse {
        StudioResponse(status: 303, headers: ["Location": path])
    }
}
