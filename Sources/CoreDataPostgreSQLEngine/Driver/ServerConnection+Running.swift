// Sending statements, and reading their results.

import CPostgreSQL
package import CoreDataSQL
import CoreDataSupport
import Foundation

/// A statement whose result is awaited.
struct SentStatement {
    let text: String
    /// `nil` for the preparation of a statement.
    let receive: ((ServerResult) throws -> Void)?
}

extension ServerConnection {
    /// Sends a statement. `finish` hands its result to the closure, unless the statement or one before it failed.
    ///
    /// Statements that are sent together outside of a transaction are one.
    package func send(
        _ text: String, parameters: ParameterList = ParameterList(),
        receive: @escaping (ServerResult) throws -> Void = { _ in }
    ) throws {
        let handle = try usable()
        let isSent: Int32
        switch prepared?.name(text) {
        case .known(let name)?: isSent = run(name, parameters: parameters, handle: handle)
        case .new(let name, let dropped)?:
            if let dropped {
                try sendPlain("DEALLOCATE \(dropped)", parameters: ParameterList(), handle: handle) { _ in }
            }
            if PQsendPrepare(handle, name, text, 0, nil) == 0 { throw broken(text) }
            pending.append(SentStatement(text: text, receive: nil))
            isSent = run(name, parameters: parameters, handle: handle)
        case nil: return try sendPlain(text, parameters: parameters, handle: handle, receive: receive)
        }
        if isSent == 0 { throw broken(text) }
        pending.append(SentStatement(text: text, receive: receive))
    }

    package func send(
        _ statement: SQLStatement, receive: @escaping (ServerResult) throws -> Void = { _ in }
    ) throws {
        try send(statement.text, parameters: ParameterList(statement.bindings), receive: receive)
    }

    /// Sends a command that begins or ends a transaction, without preparing it. The statement that is dropped to make room for
    /// another is a command before that one: then a transaction's state of the database couldn't be chosen any more, and
    /// one that failed takes nothing but its end.
    package func sendCommand(
        _ text: String, receive: @escaping (ServerResult) throws -> Void = { _ in }
    ) throws {
        try sendPlain(text, parameters: ParameterList(), handle: usable(), receive: receive)
    }

    @discardableResult
    package func runCommand(_ text: String) throws -> ServerResult {
        try result(of: text) { try sendCommand(text, receive: $0) }
    }

    /// Runs a statement, and all that were sent before.
    @discardableResult
    package func run(_ text: String, parameters: ParameterList = ParameterList()) throws -> ServerResult {
        try result(of: text) { try send(text, parameters: parameters, receive: $0) }
    }

    private func result(
        of text: String, send: (@escaping (ServerResult) throws -> Void) throws -> Void
    ) throws -> ServerResult {
        var result: ServerResult?
        try send { result = $0 }
        try finish()
        guard let result else {
            throw ServerFailure(.connection, message: "A statement has no result.", sql: text)
        }
        return result
    }

    @discardableResult
    package func run(_ statement: SQLStatement) throws -> ServerResult {
        try run(statement.text, parameters: ParameterList(statement.bindings))
    }

    private func usable() throws -> OpaquePointer {
        guard let handle else { throw ServerFailure(.connection, message: "The connection is closed.") }
        return handle
    }

    private func run(_ name: String, parameters: ParameterList, handle: OpaquePointer) -> Int32 {
        parameters.withPointers { PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) }
    }

    private func sendPlain(
        _ text: String, parameters: ParameterList, handle: OpaquePointer,
        receive: @escaping (ServerResult) throws -> Void
    ) throws {
        let isSent = parameters.withPointers { PQsendQueryParams(handle, text, $0, nil, $1, $2, $3, 1) }
        if isSent == 0 { throw broken(text) }
        pending.append(SentStatement(text: text, receive: receive))
    }

    private func broken(_ text: String?) -> ServerFailure {
        let message = handle.map { String(cString: PQerrorMessage($0)) } ?? ""
        return ServerFailure(
            .connection, message: message.trimmingCharacters(in: .whitespacesAndNewlines), sql: text)
    }

    // MARK: Results

    /// Waits for the results of all statements that were sent. Throws the first failure, of the server or of a closure.
    package func finish() throws {
        if pending.isEmpty { return }
        let handle = try usable()
        let sent = pending
        pending = []
        if PQpipelineSync(handle) == 0 { throw broken(sent.first?.text) }
        var failure: (any Error)?
        for statement in sent {
            do {
                try read(statement, handle: handle)
            } catch {
                failure = failure ?? error
            }
            if isBroken { throw failure ?? broken(statement.text) }
        }
        while let result = try next(handle), result.status != PGRES_PIPELINE_SYNC {}
        if let failure { throw failure }
    }

    /// Reads all that comes for one statement.
    private func read(_ statement: SentStatement, handle: OpaquePointer) throws {
        var failure: (any Error)?
        while let result = try next(handle) {
            do {
                switch result.status {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK: try statement.receive?(result)
                case PGRES_PIPELINE_ABORTED: if statement.receive == nil { prepared?.forget(statement.text) }
                default: throw isBroken ? broken(statement.text) : refused(statement, result: result)
                }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func refused(_ statement: SentStatement, result: ServerResult) -> ServerFailure {
        let failure = result.failure(sql: statement.text)
        // It wasn't prepared, or was for tables that are others by now.
        if statement.receive == nil || failure.kind == .schema { prepared?.forget(statement.text) }
        return failure
    }

    /// Waits for the next result; `nil` behind the last one of a statement.
    func next(_ handle: OpaquePointer) throws -> ServerResult? {
        try wait(handle)
        return PQgetResult(handle).map(ServerResult.init)
    }

    /// The time between two questions whether to stop, in milliseconds.
    private static let interval: Int32 = 20

    /// Sends what isn't sent yet and waits until a result is there.
    private func wait(_ handle: OpaquePointer) throws {
        var isCancelled = false
        var silence: Int32 = 0
        while true {
            let rest = PQflush(handle)
            if rest == 0 && PQisBusy(handle) == 0 { return }
            // An error is a result as well.
            if rest < 0 { return }
            var descriptor = pollfd(
                fd: PQsocket(handle), events: Int16(POLLIN) | (rest > 0 ? Int16(POLLOUT) : 0), revents: 0)
            let pause = isStopped == nil || isCancelled ? answerTimeout : min(Self.interval, answerTimeout)
            let found = poll(&descriptor, 1, pause)
            if found < 0 && errno != EINTR { throw broken(nil) }
            silence = found == 0 ? silence + pause : 0
            if silence >= answerTimeout {
                try checkSilence(&descriptor)
                silence = 0
            }
            if found > 0, descriptor.revents & ~Int16(POLLOUT) != 0, PQconsumeInput(handle) == 0 { return }
            if !isCancelled, isStopped?() == true {
                isCancelled = true
                cancel()
            }
        }
    }

    /// Closes the connection and throws if the server isn't at work any more, or can't be asked: a network may swallow what is
    /// sent without an error.
    private func checkSilence(_ descriptor: inout pollfd) throws {
        let message: String
        do {
            if try isServerAtWork() { return }
            // The answer may have come meanwhile.
            if poll(&descriptor, 1, 0) != 0 { return }
            message = "The server has ended what it was at, and its answer didn't come."
        } catch let failure as ServerFailure {
            message = "The server is silent, and can't be asked: \(failure.message)"
        }
        close()
        throw ServerFailure(.connection, message: message)
    }
}
