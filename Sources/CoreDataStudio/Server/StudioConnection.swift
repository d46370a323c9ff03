// One client's connection, and all of them.

#if Studio
    import FlyingSocks
    import Foundation
    import Synchronization

    /// Reads requests from a socket, one after the other, and sends the answers.
    final class StudioConnection: Sendable {
        /// The present phase of the connection, and its deadline.
        private struct Phase {
            /// Nil while a request is being answered: that takes as long as it takes.
            var end: ContinuousClock.Instant?
            var isEnded = false
        }

        private static let readSize = 64 << 10
        /// Between requests, for a head, for a body.
        private static let timeout: (idle: Duration, head: Duration, body: Duration) = (
            .seconds(75), .seconds(15), .seconds(120)
        )

        private let socket: AsyncSocket
        private let studio: Studio
        private let phase = Mutex(Phase())

        init(_ socket: AsyncSocket, studio: Studio) {
            self.socket = socket
            self.studio = studio
            allow(Self.timeout.idle)
        }

        /// Until the client goes, says nonsense, or takes too long.
        func serve() async {
            var reader = RequestReader(bodyLimit: Studio.bodyLimit)
            do {
                while !phase.withLock(\.isEnded), try await exchange(&reader) {}
            } catch let fault as RequestFault {
                var answer = StudioResponse.failure(fault.status, message: fault.message)
                answer.headers.merge(Studio.safety) { own, _ in own }
                try? await send(answer.bytes(keepsAlive: false))
                await drain()
            } catch {
                // The client is gone, or took too long.
            }
            phase.withLock { $0.isEnded = true }
            try? socket.close()
        }

        /// One request and its answer; whether another may follow.
        private func exchange(_ reader: inout RequestReader) async throws -> Bool {
            var isHeadTimed = false
            var isBodyTimed = false
            var request = try reader.next()
            while request == nil {
                if reader.awaitsContinue {
                    reader.didContinue()
                    try await send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                    allow(Self.timeout.body)
                }
                reader.append(try await socket.read(atMost: Self.readSize))
                if !isHeadTimed { allow(Self.timeout.head) }
                isHeadTimed = true
                request = try reader.next()
                if request == nil, reader.hasHead, !isBodyTimed {
                    isBodyTimed = true
                    allow(Self.timeout.body)
                }
            }
            guard let request else { return false }
            allow(nil)
            let response = await studio.respond(
                to: StudioRequest(
                    method: request.method, target: request.target, headers: request.headers,
                    body: request.body))
            let isHead = request.method == "HEAD"
            try await send(response.bytes(keepsAlive: request.keepsAlive && !isHead, withBody: !isHead))
            allow(Self.timeout.idle)
            return request.keepsAlive && !isHead
        }

        private func send(_ data: Data) async throws {
            // A megabyte a second is slow enough.
            allow(Self.timeout.head + .seconds(data.count >> 20))
            try await socket.write(data)
        }

        /// Reads the data still on the way, so that the client gets to read the answer before it is cut off.
        private func drain() async {
            allow(.seconds(2))
            var left = 64 << 20
            while left > 0, let bytes = try? await socket.read(atMost: Self.readSize), !bytes.isEmpty {
                left -= bytes.count
            }
        }

        private func allow(_ time: Duration?) {
            phase.withLock { $0.end = time.map { ContinuousClock.now + $0 } }
        }

        // MARK: Ending

        /// The deadline of its wait for the client: the earlier, the longer it has waited. Nil while a
        /// request is being answered, and once the connection has ended.
        var waitsUntil: ContinuousClock.Instant? { phase.withLock { $0.isEnded ? nil : $0.end } }

        /// Cuts the client off: whoever reads or writes notices.
        func cut() {
            phase.withLock { phase in
                if phase.isEnded { return }
                phase.isEnded = true
                _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_RDWR))
            }
        }
    }

    /// The connections of a server, bounded in number.
    final class ConnectionTable: Sendable {
        private static let limit = 200
        private let connections = Mutex<[ObjectIdentifier: StudioConnection]>([:])

        /// Beyond the limit the one goes that waited longest for its client.
        func add(_ connection: StudioConnection) {
            connections.withLock { connections in
                if connections.count >= Self.limit {
                    let waiting = connections.values.compactMap { one in one.waitsUntil.map { ($0, one) } }
                    waiting.min { $0.0 < $1.0 }?.1.cut()
                }
                connections[ObjectIdentifier(connection)] = connection
            }
        }

        func remove(_ connection: StudioConnection) {
            connections.withLock { $0[ObjectIdentifier(connection)] = nil }
        }

        var isEmpty: Bool { connections.withLock(\.isEmpty) }

        /// Cuts those off whose time is over; with `all` those too that wait within their time.
        func cutOff(all: Bool = false) {
            let now = ContinuousClock.now
            for connection in connections.withLock({ Array($0.values) }) {
                if let end = connection.waitsUntil, all || end < now { connection.cut() }
            }
        }
    }
#endif
