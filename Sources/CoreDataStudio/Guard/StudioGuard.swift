// The admission of browsers: links that work once, cookies, and what keeps other sites' pages out.

import Foundation
import Synchronization

/// Checks requests before any route sees them.
final class StudioGuard: Sendable {
    static let proofHeader = "x-studio-proof"
    private static let sessionLimit = 64

    /// A link that wasn't used yet. Those of users are traded for a session by a page's script only.
    private struct Link {
        let token: String
        let user: String?
    }

    private struct State {
        var links: [Link] = []
        var sessions: [String: StudioSession] = [:]
    }

    private let state = Mutex(State())
    private let options: StudioOptions

    init(_ options: StudioOptions) {
        self.options = options
    }

    /// A word that lets one browser in, as the user of that name.
    func makeLinkToken(for user: String? = nil) -> String {
        let link = Link(token: Secret.make(), user: user)
        state.withLock { $0.links.append(link) }
        return link.token
    }

    /// Refuses requests under names that aren't ours: a page of another site could give its own name our address.
    func checkHost(_ request: StudioRequest) throws(StudioProblem) {
        guard let host = request.headers["host"],
            options.hosts.union(Self.loopback).contains(Self.name(of: host))
        else {
            throw StudioProblem(status: 421, "This server doesn't answer under that name.")
        }
    }

    /// Refuses what another site's page asks for.
    func checkOrigin(_ request: StudioRequest) throws(StudioProblem) {
        let isElsewhere = StudioProblem(status: 403, "The request comes from another site.")
        if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" {
            throw isElsewhere
        }
        guard let origin = request.headers["origin"] else { return }
        guard let host = request.headers["host"], origin == "http://\(host)" || origin == "https://\(host)"
        else {
            throw isElsewhere
        }
    }

    /// The session of the request's cookie.
    func session(of request: StudioRequest) -> StudioSession? {
        guard let cookie = request.cookie(Self.cookieName(request)) else { return nil }
        guard let session = state.withLock({ $0.sessions[cookie] }) else { return nil }
        if options.entrance == .server, session.user != request.user { return nil }
        session.touch()
        return session
    }

    /// A session for who comes with a link that wasn't used, or whom the server let in.
    func enter(_ request: StudioRequest) -> StudioSession? {
        switch options.entrance {
        case .server: return add(StudioSession(user: request.user))
        case .link:
            guard let token = request.query["token"], let link = spend(token, isOfUser: false) else {
                return nil
            }
            return add(StudioSession(user: link.user ?? request.user))
        }
    }

    /// A session for the user whose link's word the body of a request brings: in addresses it would be in logs.
    func enterAsUser(_ request: StudioRequest) -> StudioSession? {
        // Strangers send this: nothing long is read.
        guard request.body.count < 1000,
            let body = try? JSONDecoder().decode([String: String].self, from: request.body),
            let token = body["token"], let link = spend(token, isOfUser: true)
        else { return nil }
        return add(StudioSession(user: link.user))
    }

    /// Refuses changes without the session's proof.
    func checkProof(_ request: StudioRequest, session: StudioSession) throws(StudioProblem) {
        guard let proof = request.headers[Self.proofHeader], Secret.matches(proof, and: session.proof) else {
            throw StudioProblem(status: 403, "The page is of an earlier session: load it again.")
        }
    }

    func cookieHeader(_ session: StudioSession, request: StudioRequest) -> String {
        let name = Self.cookieName(request)
        return "\(name)=\(session.cookie); Path=\(options.basePath); HttpOnly; SameSite=Strict"
    }

    /// Browsers give a host's cookies to all its ports: each has a name of its own, so that the studios of one host
    /// don't lose their sessions to each other.
    private static func cookieName(_ request: StudioRequest) -> String {
        let host = request.headers["host"] ?? ""
        let rest = host.dropFirst(name(of: host).count)
        let port = rest.dropFirst()
        guard rest.first == ":", (1...5).contains(port.count),
            port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return "coredata-studio" }
        return "coredata-studio-\(port)"
    }

    private func spend(_ token: String, isOfUser: Bool) -> Link? {
        state.withLock { state in
            let found = state.links.firstIndex {
                ($0.user != nil) == isOfUser && Secret.matches($0.token, and: token)
            }
            return found.map { state.links.remove(at: $0) }
        }
    }

    /// Beyond the limit the session that was idle longest goes.
    private func add(_ session: StudioSession) -> StudioSession {
        state.withLock { state in
            if state.sessions.count >= Self.sessionLimit,
                let idle = state.sessions.values.min(by: { $0.lastUse < $1.lastUse })
            {
                state.sessions[idle.cookie] = nil
            }
            state.sessions[session.cookie] = session
        }
        return session
    }

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    private static func name(of host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return host.split(separator: ":", omittingEmptySubsequences: false).first.map(String.init) ?? host
    }
}
