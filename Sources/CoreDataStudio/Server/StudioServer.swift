// A web server for a studio on its own.

#if Studio
    import FlyingFox
    import FlyingSocks
    import Foundation
    import Synchronization

    /// Serves a ``Studio`` on one address. Needs the package trait `Studio`.
    ///
    /// Requests are bounded in length and number, and clients that take too long are cut off: 64 kB of address and
    /// header fields, 16 MB of body, 200 connections.
    public final class StudioServer: Sendable {
        /// The reason why a server can't start.
        public struct Failure: Error, CustomStringConvertible {
            /// One sentence.
            public let description: String
        }

        private struct State {
            var port: UInt16?
            var isStopped = false
            var failure: (any Error)?
            var task: Task<Void, any Error>?
        }

        private let studio: Studio
        private let host: String
        private let address: sockaddr_in
        private let connections = ConnectionTable()
        private let state = Mutex(State())

        /// A server that doesn't listen yet.
        ///
        /// - Parameters:
        ///   - studio: the studio that answers.
        ///   - host: an IPv4 address. All but loopback addresses need ``StudioOptions/users`` or
        ///     ``StudioOptions/authorise``, and must be among ``StudioOptions/hosts`` to be answered.
        ///   - port: 0 for any that is free.
        /// - Throws: ``Failure`` for an address that it must not or can't serve.
        public init(_ studio: Studio, host: String = "127.0.0.1", port: UInt16 = 0) throws {
            guard let address = try? sockaddr_in.inet(ip4: host, port: port) else {
                throw Failure(description: "\"\(host)\" is no IPv4 address.")
            }
            let knowsPeople = !studio.options.users.isEmpty || studio.options.authorise != nil
            guard host.hasPrefix("127.") || knowsPeople else {
                throw Failure(
                    description:
                        "\(host) can be reached from elsewhere: without users or a closure that authorises, "
                        + "the studio serves loopback addresses only.")
            }
            self.studio = studio
            self.host = host
            self.address = address
        }

        /// Serves until the task is cancelled or ``stop()`` called.
        ///
        /// - Throws: the system's error if the address can't be listened at, such as one that is in use.
        public func run() async throws {
            let task = Task { try await self.serve() }
            let isStopped = state.withLock { state in
                state.task = task
                return state.isStopped
            }
            if isStopped { task.cancel() }
            do {
                try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
            } catch {
                let isExpected = state.withLock { state in
                    state.failure = error
                    return state.isStopped
                }
                if !isExpected { throw error }
            }
        }

        /// Ends ``run()``: answers what was asked within a second, then cuts all clients off.
        public func stop() async {
            let task = state.withLock { state in
                state.isStopped = true
                return state.task
            }
            studio.endWaiting()
            let end = ContinuousClock.now + .seconds(1)
            while !connections.isEmpty, ContinuousClock.now < end {
                connections.cutOff(all: true)
                try? await Task.sleep(for: .milliseconds(20))
            }
            task?.cancel()
            _ = await task?.result
        }

        /// A link for one browser; waits until the server listens.
        ///
        /// - Returns: the address of the studio, with a secret that serves once.
        /// - Throws: what ``run()`` throws, if the server can't listen; `CancellationError`.
        public func makeLink() async throws -> String { studio.makeLink(host: try await place) }

        /// A link for one browser of a user; waits until the server listens.
        ///
        /// - Parameter user: one of ``StudioOptions/users``; a person who isn't may do nothing.
        /// - Returns: the address of the studio, with a secret that serves once.
        /// - Throws: what ``run()`` throws, if the server can't listen; `CancellationError`.
        public func makeLink(for user: StudioUser) async throws -> String {
            studio.makeLink(host: try await place, for: user)
        }

        /// The address and port, once the server listens.
        private var place: String {
            get async throws {
                while true {
                    let (port, failure) = state.withLock { ($0.port, $0.failure) }
                    if let failure { throw failure }
                    if let port { return "\(host):\(port)" }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        }

        // MARK: Serving

        private func serve() async throws {
            let pool = HTTPServer.defaultPool()
            try await pool.prepare()
            let socket = try Socket(domain: Int32(AF_INET))
            defer { try? socket.close() }
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
            try socket.listen()
            guard case .ip4(_, let port) = try socket.sockname() else {
                throw Failure(description: "The server listens no more.")
            }
            state.withLock { $0.port = port }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask { try await self.accept(try Self.asynchronous(socket, pool: pool)) }
                group.addTask { try await self.watch() }
                defer { group.cancelAll() }
                try await group.next()
            }
        }

        private static func asynchronous(_ socket: Socket, pool: some AsyncSocketPool) throws -> AsyncSocket {
            try AsyncSocket(socket: socket, pool: pool)
        }

        private func accept(_ socket: AsyncSocket) async throws {
            try await withThrowingDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let client: AsyncSocket
                    do {
                        client = try await socket.accept()
                    } catch is CancellationError {
                        throw CancellationError()
                    } catch {
                        // As when files run out: others may end meanwhile.
                        try await Task.sleep(for: .milliseconds(50))
                        continue
                    }
                    let connection = StudioConnection(client, studio: studio)
                    connections.add(connection)
                    group.addTask {
                        await connection.serve()
                        self.connections.remove(connection)
                    }
                }
            }
        }

        /// Cuts off clients that take too long.
        private func watch() async throws {
            while true {
                try await Task.sleep(for: .seconds(1))
                connections.cutOff()
            }
        }
    }
#else
    /// A server for a studio.
    @available(*, unavailable, message: "turn the trait \"Studio\" of the package OpenCoreData on")
    public final class StudioServer: Sendable {}
#endif
