// A relay between clients and a PostgreSQL server that knows where statements begin and end, and stops connections there.

import Foundation
import Synchronization

/// Passes on what clients and the server say, statement by statement: the next one goes to the server when the one before has
/// its answer.
package final class StatementRelay: Sendable {
    /// What happens to a connection.
    package enum Fault: Sendable {
        /// The backend is terminated before it gets a statement.
        case terminate
        /// Nothing is passed on from a statement on, in either direction, and the connections end a moment later.
        case silence
        /// The server executes a statement, and its answer is lost with the connection.
        case loseAnswer
        /// From a statement on nothing is passed on, of no connection, and all stay open, until the relay is armed anew.
        case hang
        /// The same from a statement's answer on.
        case hangAnswer
        /// The same for one connection, beside which others go on.
        case hangAnswerAlone
    }

    private struct Plan {
        var fault: (Fault, statement: Int)?
        var statements = 0
        var hits = 0
        /// Indicates whether nothing is passed on of any connection.
        var isHanging = false
        /// Indicates whether nothing is passed on of the connection that has met the fault.
        var isOneHanging = false
        /// The process numbers of backends that nothing is passed on from.
        var held: Set<Int32> = []
    }

    /// The folder of the socket, for the parameter `host`.
    package let folder: String
    private let listener: Int32
    private let target: String
    private let plan = Mutex(Plan())
    private let terminate: @Sendable (Int32) -> Void
    private let hasLost: @Sendable (StatementRelay) -> Void

    /// - Parameters:
    ///   - terminate: ends the backend of a process number, and waits until it has ended.
    ///   - hasLost: called when an answer is lost, before the client notices.
    package init(
        to server: PostgreSQLServer, terminate: @escaping @Sendable (Int32) -> Void = { _ in },
        hasLost: @escaping @Sendable (StatementRelay) -> Void = { _ in }
    ) throws {
        var template = Array("/tmp/coredata-relay-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        target = server.folder + "/.s.PGSQL.5432"
        self.terminate = terminate
        self.hasLost = hasLost
        listener = SocketRelay.socket()
        guard SocketRelay.with(folder + "/.s.PGSQL.5432", { bind(listener, $0, $1) }) == 0,
            listen(listener, 64) == 0
        else { throw CocoaError(.fileWriteUnknown) }
        let own = listener
        Thread { [weak self] in
            while true {
                let client = SocketRelay.accept(own)
                if client < 0 { return }
                guard let self else { return }
                Thread { [self] in serve(client) }.start()
            }
        }
        .start()
    }

    deinit {
        stopListening()
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Takes no more connections: whoever asks for one is refused, as by a host that is down.
    package func stopListening() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Counts statements from now on, and does this at one of them; nothing for `nil`.
    package func arm(_ fault: Fault?, at statement: Int = 0) {
        plan.withLock { $0 = Plan(fault: fault.map { ($0, statement) }) }
    }

    /// The statements since `arm`, and how often its fault happened.
    package var counts: (statements: Int, hits: Int) { plan.withLock { ($0.statements, $0.hits) } }

    /// From now on passes on nothing that a backend says, not even its end, until the relay is armed anew.
    package func hold(backend process: Int32) {
        plan.withLock { _ = $0.held.insert(process) }
    }

    private func nextFault() -> Fault? {
        plan.withLock { plan in
            plan.statements += 1
            guard let (fault, statement) = plan.fault, statement == plan.statements else { return nil }
            plan.hits += 1
            return fault
        }
    }

    // MARK: Connections

    /// Passes nothing on, and then ends the connection.
    private func hang(alone: Bool = false) -> Bool {
        plan.withLock { ($0.isHanging, $0.isOneHanging) = (!alone, alone) }
        while plan.withLock({ $0.isHanging || $0.isOneHanging }) { usleep(10_000) }
        return false
    }

    private func serve(_ client: Int32) {
        while plan.withLock({ $0.isHanging }) { usleep(10_000) }
        let server = SocketRelay.socket()
        _ = SocketRelay.with(target) { connect(server, $0, $1) }
        defer {
            close(client)
            close(server)
        }
        var fromClient = MessageBuffer(isServer: false)
        var fromServer = MessageBuffer(isServer: true)
        while true {
            var both = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&both, 2, -1) < 0 { return }
            while plan.withLock({ $0.held.contains(fromServer.process) }) { usleep(10_000) }
            if both[1].revents != 0, !pass(&fromServer, from: server, to: client) { return }
            if both[0].revents != 0 {
                guard fromClient.read(client) else { return }
                while let message = fromClient.next() {
                    guard handle(message, client, server, &fromServer) else { return }
                }
            }
        }
    }

    /// Passes on what the server says. False once it says nothing more.
    private func pass(_ buffer: inout MessageBuffer, from server: Int32, to client: Int32) -> Bool {
        guard buffer.read(server) else { return false }
        while let message = buffer.next() { if !SocketRelay.sendAll(message, to: client) { return false } }
        return true
    }

    private func handle(
        _ message: [UInt8], _ client: Int32, _ server: Int32, _ answers: inout MessageBuffer
    ) -> Bool {
        if message.first == UInt8(ascii: "S") { answers.hasFailed = false }
        // After a statement that failed the server answers none until the end of the pipeline.
        guard message.first == UInt8(ascii: "E"), !answers.hasFailed else {
            return SocketRelay.sendAll(message, to: server)
        }
        let fault = nextFault()
        if case .terminate? = fault { terminate(answers.process) }
        if case .hang? = fault { return hang() }
        if case .silence? = fault {
            usleep(300_000)
            return false
        }
        // A flush has the server answer at once.
        if !SocketRelay.sendAll(message + [UInt8(ascii: "H"), 0, 0, 0, 4], to: server) {
            // The reason of its end is still to be told.
            while pass(&answers, from: server, to: client) {}
            return false
        }
        while true {
            guard answers.read(server) else { return false }
            var isAnswered = false
            while let answer = answers.next() {
                isAnswered = isAnswered || answer.first.map { "CIsE".utf8.contains($0) } ?? false
                if answer.first == UInt8(ascii: "E") { answers.hasFailed = true }
                if case .loseAnswer? = fault { continue }
                if fault == .hangAnswer || fault == .hangAnswerAlone { continue }
                if !SocketRelay.sendAll(answer, to: client) { return false }
            }
            if isAnswered { break }
        }
        if fault == .hangAnswer || fault == .hangAnswerAlone { return hang(alone: fault == .hangAnswerAlone) }
        if case .loseAnswer? = fault {
            hasLost(self)
            return false
        }
        return true
    }
}

/// Messages of the protocol: a letter, the length in four bytes, the content. A client's first one has no letter.
private struct MessageBuffer {
    private let isServer: Bool
    private var bytes: [UInt8] = []
    private var isFirst = true
    /// The process number of the backend, which it says at the beginning.
    private(set) var process: Int32 = 0
    /// Indicates whether a statement has failed since the last end of a pipeline.
    var hasFailed = false

    init(isServer: Bool) { self.isServer = isServer }

    /// Adds what there is to read. False at the end.
    mutating func read(_ descriptor: Int32) -> Bool {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(descriptor, &part, part.count)
        if count <= 0 { return false }
        bytes += part[..<count]
        return true
    }

    mutating func next() -> [UInt8]? {
        let head = !isServer && isFirst ? 0 : 1
        guard bytes.count >= head + 4 else { return nil }
        let length = head + Int(number(at: head))
        guard bytes.count >= length else { return nil }
        let message = Array(bytes[..<length])
        bytes.removeFirst(length)
        isFirst = false
        if isServer, message[0] == UInt8(ascii: "K") {
            process = Int32(message[5...8].reduce(0) { $0 << 8 | Int($1) })
        }
        return message
    }

    private func number(at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension SocketRelay {
    /// Sends all bytes. False if nobody takes them.
    static func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let more = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if more <= 0 { return false }
            sent += more
        }
        return true
    }
}
