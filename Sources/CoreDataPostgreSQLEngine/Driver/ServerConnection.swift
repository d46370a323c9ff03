// A connection to a server. Statements are sent without waiting for the answers of those before (libpq's pipeline mode);
// `finish` waits for all of them. One thread at a time uses a connection; only `cancel` is for others.

import CPostgreSQL
import CoreDataSQL
import CoreDataSupport
import Foundation
import Synchronization

/// Unchecked because its owner hands it to one thread at a time.
package final class ServerConnection: @unchecked Sendable {
    /// libpq's connection; `nil` once it is closed.
    private(set) var handle: OpaquePointer?
    private let cancellation: Mutex<UncheckedReference<CancelHandle>?>
    /// The statements that were sent and whose results weren't read yet.
    var pending: [SentStatement] = []
    /// `nil` where the server, or a pooler before it, keeps no statements of a connection.
    var prepared: PreparedStatements?
    /// Asked from time to time while the server works; the statement is cancelled once it says so.
    var isStopped: (() -> Bool)?
    /// Closures whose transaction is going on, one inside the other.
    var transactionDepth = 0
    /// The server's number of the transaction that goes on, once results have been read.
    var transactionNumber: Int64?
    /// The details of notices by which triggers told what they wrote, since the transaction began.
    private(set) var reports: [String] = []
    /// The address, for errors.
    package let address: ServerAddress
    /// The address with its passwords.
    private let login: ServerAddress
    /// Milliseconds without a sign of life after which the server is asked whether it is still at work.
    let answerTimeout: Int32
    private let isProbe: Bool

    /// Connects to the first host that answers and has what `target_session_attrs` asks for, with TLS as the parameters say.
    /// The thread waits, for as long as `connect_timeout` allows for each host.
    ///
    /// - Parameter keepsStatements: whether statements are prepared once for the connection.
    package convenience init(_ address: ServerAddress, keepsStatements: Bool = true) throws {
        try self.init(address, keepsStatements: keepsStatements, isProbe: false)
    }

    /// - Parameter isProbe: whether it asks for another connection that is silent, and fails if it is silent itself.
    private init(_ address: ServerAddress, keepsStatements: Bool, isProbe: Bool) throws {
        self.isProbe = isProbe
        self.address = address.withoutSecrets
        login = address
        answerTimeout = Self.answerTimeout(address)
        prepared = keepsStatements ? PreparedStatements() : nil
        let handle = try Self.connected(address)
        self.handle = handle
        cancellation = Mutex(PQgetCancel(handle).map { UncheckedReference(CancelHandle($0)) })
        do {
            try check(handle)
        } catch {
            close()
            throw error
        }
        // The receiver is called only while this object uses the connection.
        PQsetNoticeReceiver(
            handle,
            { connection, notice in
                guard let connection, let notice else { return }
                Unmanaged<ServerConnection>.fromOpaque(connection).takeUnretainedValue().receive(notice)
            }, Unmanaged.passUnretained(self).toOpaque())
        PQsetnonblocking(handle, 1)
        PQenterPipelineMode(handle)
    }

    deinit { close() }

    package func close() {
        cancellation.withLock { $0 = nil }
        if let handle { PQfinish(handle) }
        handle = nil
        pending = []
    }

    /// Parameters where the address says nothing: a server that doesn't answer any more is noticed within a minute.
    private static let defaults = [
        ("client_encoding", "UTF8"), ("fallback_application_name", "CoreData"), ("connect_timeout", "10"),
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "60000"),
    ]

    private static func answerTimeout(_ address: ServerAddress) -> Int32 {
        let stated = address["tcp_user_timeout"].flatMap { Int32($0) } ?? 0
        return stated > 0 ? stated : 60_000
    }

    private static func connected(_ address: ServerAddress) throws -> OpaquePointer {
        let parameters = address.connectionParameters(defaults.map { (keyword: $0, value: $1) })
        // Copies that stay for the call.
        let keywords = parameters.map { strdup($0.keyword) }
        let values = parameters.map { strdup($0.value) }
        defer { (keywords + values).forEach { free($0) } }
        let handle = PQconnectdbParams(
            keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 0)
        guard let handle else {
            throw ServerFailure(.connection, message: "There is no memory for a connection.")
        }
        if PQstatus(handle) == CONNECTION_OK { return handle }
        do {
            try connectAgain(handle)
            return handle
        } catch {
            PQfinish(handle)
            throw error
        }
    }

    /// Throws what kept a connection from being made. Where a server was reached and refused, which it says by FATAL before its reason,
    /// connects once more: libpq has its code only in words, and only of a connection that was told to write it.
    private static func connectAgain(_ handle: OpaquePointer) throws {
        let message = message(of: handle)
        if PQconnectionNeedsPassword(handle) != 0 { throw ServerFailure(.access, message: message) }
        guard message.contains("FATAL:") else { throw ServerFailure(.connection, message: message) }
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        PQreset(handle)
        if PQstatus(handle) == CONNECTION_OK {
            PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
            return
        }
        let state = sqlState(in: Self.message(of: handle))
        let kind = state.map(ServerFailure.Kind.init(sqlState:)) ?? .other
        throw ServerFailure(kind == .other ? .access : kind, message: message, sqlState: state ?? "")
    }

    private static func message(of handle: OpaquePointer) -> String {
        String(cString: PQerrorMessage(handle)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// `53300` of `FATAL:  53300: sorry, too many clients already`, as the last of several hosts says it.
    private static func sqlState(in message: String) -> String? {
        message.split(separator: "FATAL:").last.flatMap { text in
            let code = text.drop { $0.isWhitespace }.prefix { $0 != ":" }
            return code.count == 5 && code.allSatisfy(\.isASCII) ? String(code) : nil
        }
    }

    /// Throws for a server with which texts or functions would mean something else.
    private func check(_ handle: OpaquePointer) throws {
        func setting(_ name: String) -> String {
            PQparameterStatus(handle, name).map { String(cString: $0) } ?? ""
        }
        let version = PQserverVersion(handle)
        if version < 140_000 {
            throw ServerFailure(
                .server, message: "The server is PostgreSQL \(version / 10_000); 14 or later is needed.")
        }
        if setting("server_encoding") != "UTF8" {
            throw ServerFailure(
                .server, message: "The database's encoding is \(setting("server_encoding")); UTF8 is needed.")
        }
        if setting("standard_conforming_strings") != "on" || setting("integer_datetimes") != "on" {
            throw ServerFailure(
                .server, message: "The server's setting standard_conforming_strings must be on.")
        }
    }

    /// Keeps what triggers report, and logs the server's warnings, but not what it says beside success.
    private func receive(_ notice: OpaquePointer) {
        func field(_ code: Unicode.Scalar) -> String? {
            PQresultErrorField(notice, Int32(code.value)).map { String(cString: $0) }
        }
        if field("M") == DerivedReport.message {
            if let detail = field("D") { reports.append(detail) }
            return
        }
        let text = String(cString: PQresultErrorMessage(notice)).trimmingCharacters(
            in: .whitespacesAndNewlines)
        if text.hasPrefix("WARNING") { Log.warning("PostgreSQL: \(text)") }
    }

    /// Hands over what triggers reported.
    package func takeReports() -> [String] {
        defer { reports = [] }
        return reports
    }

    // MARK: State

    /// Indicates whether the connection can't be used any more.
    package var isBroken: Bool { handle.map { PQstatus($0) != CONNECTION_OK } ?? true }

    /// Indicates whether a transaction has failed, so that only a rollback is possible.
    var hasFailedTransaction: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_INERROR } ?? false }

    /// Indicates whether no statement and no transaction is going on.
    package var isIdle: Bool {
        pending.isEmpty && (handle.map { PQtransactionStatus($0) == PQTRANS_IDLE } ?? false)
    }

    /// The socket, for those who wait for it to have something to read; `nil` once the connection is closed.
    package var socket: Int32? { handle.map { PQsocket($0) } }

    /// The texts of announcements that have come since this was last asked. Asks nobody.
    package func takeAnnouncements() -> [String] {
        guard let handle, PQconsumeInput(handle) != 0 else { return [] }
        var texts: [String] = []
        while let announcement = PQnotifies(handle) {
            texts.append(announcement.pointee.extra.map { String(cString: $0) } ?? "")
            PQfreemem(announcement)
        }
        return texts
    }

    /// Indicates whether the other end has closed the connection since it was last used. Asks nobody.
    package var wasClosedByServer: Bool {
        guard let handle else { return true }
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        // An idle connection gets notices at most, or the reason for its end and then the end.
        while poll(&descriptor, 1, 0) > 0 {
            if PQconsumeInput(handle) == 0 { return true }
        }
        return isBroken
    }

    /// The server's number of the process at the other end.
    var process: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

    /// Asks by a connection of its own whether the server is still at what it was sent. Throws what keeps it from telling, and
    /// returns false if it isn't.
    func isServerAtWork() throws -> Bool {
        guard let handle, !isProbe else {
            throw ServerFailure(.connection, message: "The server doesn't answer.")
        }
        func part(_ read: (OpaquePointer) -> UnsafeMutablePointer<CChar>?) -> String {
            read(handle).map { String(cString: $0) } ?? ""
        }
        let probe: ServerConnection
        do {
            let address = login.at(host: part(PQhost), port: part(PQport))
            probe = try ServerConnection(address, keepsStatements: false, isProbe: true)
        } catch let failure as ServerFailure where failure.kind == .access || failure.kind == .crowded {
            // It answers, and has no connection to give.
            return true
        }
        defer { probe.close() }
        // Until the end of a pipeline has reached it, a process that has done all it was sent is still called active: it waits
        // for its client, as one does whose answers nobody takes.
        let answer = try probe.run(
            "SELECT state, wait_event_type IS NOT DISTINCT FROM 'Client' FROM pg_stat_activity "
                + "WHERE pid = \(process)")
        // A pooler's processes have other numbers, and a server may keep what they do to itself.
        if prepared == nil || answer.rowCount > 0 && answer.isNull(0, column: 0) { return true }
        return answer.rowCount > 0 && !answer.text(0, column: 0).hasPrefix("idle")
            && answer.bool(0, column: 1) == false
    }

    // MARK: Stopping

    /// Has the server end what it is at for this connection. For any thread; without effect if it is at nothing.
    package func cancel() {
        cancellation.withLock { $0?.value.cancel() }
    }

    /// Runs a block, whose statements are cancelled once `isCancelled` says so.
    package func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result {
        let before = isStopped
        isStopped = isCancelled
        defer { isStopped = before }
        return try body()
    }
}

extension ServerConnection {
    /// Runs a block, whose statements are cancelled once those of another connection would be.
    package func stopping<Result>(like other: ServerConnection, _ body: () throws -> Result) rethrows
        -> Result
    {
        let before = isStopped
        isStopped = other.isStopped
        defer { isStopped = before }
        return try body()
    }
}

/// libpq's means to cancel, freed with its last reference.
private final class CancelHandle {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { PQfreeCancel(handle) }

    func cancel() {
        var message = [CChar](repeating: 0, count: 256)
        if PQcancel(handle, &message, 256) == 0 {
            let end = message.firstIndex(of: 0) ?? message.endIndex
            let text = String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            Log.warning("a request couldn't be cancelled: \(text)")
        }
    }
}
