// A web server for a studio on its own.

#if Studio
    import FlyingFox
    import FlyingSocks
    import Foundation

    /// Serves a ``Studio`` on one address. Needs the package trait `Studio`.
    public final class StudioServer: Sendable {
        /// Why a server can't start.
        public struct Failure: Error, CustomStringConvertible {
            /// One sentence.
            public let description: String
        }

        private let studio: Studio
        private let server: HTTPServer
        private let host: String

        /// A server that doesn't listen yet.
        ///
        /// - Parameters:
        ///   - host: an IPv4 address. All but loopback addresses need ``StudioOptions/authorise``.
        ///   - port: 0 for any that is free.
        /// - Throws: ``Failure`` for an address that it must not or can't serve.
        public init(_ studio: Studio, host: String = "127.0.0.1", port: UInt16 = 0) throws {
            guard host.hasPrefix("127.") || studio.options.authorise != nil else {
                throw Failure(
                    description: "\(host) can be reached from elsewhere: without a closure that authorises, "
                        + "the studio serves loopback addresses only.")
            }
            guard let address = try? sockaddr_in.inet(ip4: host, port: port) else {
                throw Failure(description: "\"\(host)\" is no IPv4 address.")
            }
            self.studio = studio
            self.host = host
            // Longer than a page waits for news.
            let configuration = HTTPServer.Configuration(
                address: address, timeout: 60, logger: .disabled)
            server = HTTPServer(config: configuration, handler: StudioHandler(studio: studio))
        }

        /// Serves until the task is cancelled or ``stop()`` called.
        public func run() async throws { try await server.run() }

        /// Ends ``run()``.
        public func stop() async {
            studio.endWaiting()
            await server.stop(timeout: 1)
        }

        /// A link for one browser; waits until the server listens.
        public func makeLink() async throws -> String {
            try await server.waitUntilListening()
            guard case .ip4(_, let port) = await server.listeningAddress else {
                throw Failure(description: "The server listens no more.")
            }
            return studio.makeLink(host: "\(host):\(port)")
        }
    }

    private struct StudioHandler: HTTPHandler {
        let studio: Studio

        func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
            let headers = Dictionary(request.headers.map { ($0.key.rawValue, $0.value) }) { first, _ in first
            }
            guard let body = try await body(of: request) else {
                return HTTPResponse(statusCode: .payloadTooLarge)
            }
            let response = await studio.respond(
                to: StudioRequest(
                    method: request.method.rawValue, target: request.target.rawValue, headers: headers,
                    body: body))
            return HTTPResponse(
                statusCode: HTTPStatusCode(response.status, phrase: ""),
                headers: HTTPHeaders(
                    Dictionary(uniqueKeysWithValues: response.headers.map { (HTTPHeader($0.key), $0.value) })),
                body: response.body)
        }

        /// The whole body; `nil` once it is longer than the studio takes.
        private func body(of request: HTTPRequest) async throws -> Data? {
            var body = Data()
            for try await part in request.bodySequence {
                body += part
                if body.count > Studio.bodyLimit { return nil }
            }
            return body
        }
    }
#else
    /// A server for a studio.
    @available(*, unavailable, message: "turn the trait \"Studio\" of the package OpenCoreData on")
    public final class StudioServer: Sendable {}
#endif
