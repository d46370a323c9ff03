// A PostgreSQL server of the tests' own: on a unix socket in a temporary folder, started with the first test that needs it,
// ended with the process.

import Foundation
import Glibc
import Synchronization

/// A server that trusts every user but `guarded`, whose password is `secret word`.
package final class PostgreSQLServer: Sendable {
    /// The folder of the socket.
    package let folder: String
    private let programs: String
    private let setup: Setup
    private let process: Mutex<pid_t>
    /// Ends the server when this process ends, whatever ends that.
    private let watchdog = Mutex<ServerWatchdog?>(nil)

    /// The one server of this process. Throws, at every call, what kept it from starting.
    package static func shared() throws -> PostgreSQLServer { try starting.get() }

    /// A server that nobody else uses, for tests that stop it.
    package static func own(_ setup: Setup = Setup()) throws -> PostgreSQLServer {
        try PostgreSQLServer(programs: programs ?? "", setup)
    }

    /// The differences of a test's own server from others.
    package struct Setup: Sendable {
        /// Settings as `postgres -c` takes them.
        package var settings: [String] = []
        /// The folder of the write-ahead log, where it isn't among the tables.
        package var log: String?
        /// The folder of the tables; one inside `folder` by default.
        package var tables: String?

        package init() {}
    }

    private static let starting = Result { try PostgreSQLServer(programs: programs ?? "", Setup()) }

    /// The folder of the server's programs; `nil` where there are none, or nobody else than root to run them as.
    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let found = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
        return geteuid() == 0 && getpwnam("postgres") == nil ? nil : found
    }()

    /// Indicates whether tests can have a server. They fail without one where COREDATA_REQUIRE_POSTGRESQL is 1.
    package static let isAvailable =
        programs != nil || ProcessInfo.processInfo.environment["COREDATA_REQUIRE_POSTGRESQL"] == "1"

    /// The reason that skipped tests state.
    package static let requirement =
        "needs a PostgreSQL server's programs, and an unprivileged user to run them as"

    /// The server of another process, which ends it.
    package init(ofOtherProcessIn folder: String) {
        self.folder = folder
        programs = ""
        setup = Setup()
        process = Mutex(0)
    }

    private convenience init(programs: String, _ setup: Setup) throws {
        try self.init(programs: programs, setup) { folder in
            let data = setup.tables ?? folder + "/data"
            var initdb = [
                programs + "/initdb", "-D", data, "-U", "tester", "-A", "trust",
                "--encoding=UTF8", "--locale=C", "--no-sync",
            ]
            // Tables that lie elsewhere have that place for themselves.
            if let log = setup.log ?? setup.tables.map({ _ in folder + "/wal" }) {
                initdb += ["-X", log, "--wal-segsize=1"]
            }
            try Self.run(initdb, folder)
            let rules = "local all guarded scram-sha-256\nlocal all all trust\nlocal replication all trust\n"
            try Data(rules.utf8).write(to: URL(fileURLWithPath: data + "/pg_hba.conf"))
        }
    }

    /// Starts a server in a new folder, in whose folder `data` the closure puts its files.
    private init(programs: String, _ setup: Setup, _ fill: (_ folder: String) throws -> Void) throws {
        self.setup = setup
        if programs.isEmpty { throw ServerError("There are no programs of a PostgreSQL server.") }
        self.programs = programs
        // Short, for a socket's path has little room, and nobody else's: other users have to reach it.
        var template = Array("/tmp/coredata-pg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ServerError("There can be no folder in /tmp.") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        process = Mutex(0)
        if let user = Self.user { chown(folder, user.pw_uid, user.pw_gid) }
        try fill(folder)
        try start()
        Self.endAtExit(self)
    }

    // MARK: Replicas

    /// Starts a server that follows this one, and can be read while it does.
    package func makeReplica() throws -> PostgreSQLServer {
        try PostgreSQLServer(programs: programs, Setup()) { replica in
            let slot = "replica_" + replica.suffix(6).lowercased()
            let command = [
                programs + "/pg_basebackup", "--host=\(folder)", "--username=tester",
                "--pgdata=\(replica)/data", "--write-recovery-conf", "--wal-method=stream",
                "--checkpoint=fast", "--create-slot", "--slot=\(slot)", "--no-sync",
            ]
            try Self.run(command, replica)
        }
    }

    /// Waits until a replica follows and all that do have replayed what was written up to now.
    package func waitForReplicas() throws {
        let text = """
            DO $$ DECLARE target pg_lsn := pg_current_wal_lsn(); BEGIN FOR attempt IN 1..1500 LOOP
            PERFORM pg_stat_clear_snapshot();
            IF (SELECT bool_and(replay_lsn >= target) FROM pg_stat_replication) THEN RETURN; END IF;
            PERFORM pg_sleep(0.02); END LOOP; RAISE 'a replica does not follow'; END $$
            """
        let command = [
            programs + "/psql", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--host=\(folder)",
            "--username=tester", "--dbname=postgres", "--command=\(text)",
        ]
        try Self.run(command, folder)
    }

    /// Makes a replica a server of its own, which can be written to when this returns.
    package func promote() throws {
        try Self.run([programs + "/pg_ctl", "promote", "--wait", "--pgdata=\(folder)/data"], folder)
    }

    static var user: passwd? { geteuid() == 0 ? getpwnam("postgres").map(\.pointee) : nil }

    /// Starts the server, which accepts connections when this returns.
    package func start() throws {
        let command =
            [
                programs + "/postgres", "-D", setup.tables ?? folder + "/data", "-k", folder, "-c",
                "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c",
                "max_connections=200", "-c", "autovacuum=off",
            ] + setup.settings.flatMap { ["-c", $0] }
        let process = try Self.spawn(command, folder)
        self.process.withLock { $0 = process }
        let watchdog = try ServerWatchdog(process, folder)
        self.watchdog.withLock { $0 = watchdog }
        for _ in 0..<600 {
            if try Self.status(of: Self.spawn([programs + "/pg_isready", "-q", "-h", folder], folder)) == 0 {
                return
            }
            usleep(50_000)
        }
        throw ServerError("The server didn't start: \(Self.log(folder))")
    }

    /// Ends the server: at once and without any order if `isImmediate`, as with `pg_ctl -m immediate`.
    package func stop(isImmediate: Bool = true) {
        let process = process.withLock { process in
            defer { process = 0 }
            return process
        }
        if process == 0 { return }
        kill(process, isImmediate ? SIGQUIT : SIGINT)
        _ = Self.status(of: process)
        watchdog.withLock { watchdog in
            watchdog?.dismiss()
            watchdog = nil
        }
    }

    private static let ended = Mutex<[PostgreSQLServer]>([])

    private static func endAtExit(_ server: PostgreSQLServer) {
        let isFirst = ended.withLock { servers in
            servers.append(server)
            return servers.count == 1
        }
        if !isFirst { return }
        atexit {
            for server in PostgreSQLServer.ended.withLock({ $0 }) {
                server.stop()
                try? FileManager.default.removeItem(atPath: server.folder)
            }
        }
    }

    // MARK: Addresses

    /// A connection URI.
    package func address(_ database: String = "postgres", user: String = "tester", _ more: String = "")
        -> String
    {
        "postgresql://\(user)@/\(database)?host=\(folder)\(more)"
    }

    // MARK: Processes

    /// Runs a program to its end. Throws with what it wrote if it fails.
    private static func run(_ command: [String], _ folder: String) throws {
        let status = status(of: try spawn(command, folder))
        if status != 0 { throw ServerError("\(command[0]) ended with \(status): \(log(folder))") }
    }

    /// `posix_spawn_file_actions_addclosefrom_np`, which the C library has and Swift's module of it hasn't.
    private static let closeRest = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast(
            $0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
    }

    /// Starts a program, as another user where this one is root.
    static func spawn(_ command: [String], _ folder: String) throws -> pid_t {
        var command = command
        if user != nil {
            command =
                ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + command
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, folder + "/log", O_WRONLY | O_CREAT | O_APPEND, 0o666)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // A server that held other tests' files and sockets would keep them open when those close them.
        _ = closeRest?(&actions, 3)
        let arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let environment: [UnsafeMutablePointer<CChar>?] = [
            strdup("PATH=/usr/bin:/bin"), strdup("LC_ALL=C.UTF-8"), nil,
        ]
        defer { (arguments + environment).forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, command[0], &actions, nil, arguments, environment)
        if code != 0 { throw ServerError("\(command[0]) can't be run: \(String(cString: strerror(code)))") }
        return process
    }

    /// Waits for the end of a process. Foundation's `Process` would need a run loop.
    static func status(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status
    }

    static func log(_ folder: String) -> String {
        let bytes = FileManager.default.contents(atPath: folder + "/log") ?? Data()
        return String(decoding: bytes.suffix(2000), as: UTF8.self)
    }

    struct ServerError: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

/// A process that ends a server once the process of the tests is gone: then the pipe that it reads from ends.
private struct ServerWatchdog {
    private let process: pid_t
    private let pipe: Int32

    /// Signals of the terminal, which go to all of a group, don't end it.
    private static let script = """
        trap '' INT TERM HUP
        if read -r line; then exit 0; fi
        kill -QUIT "$1"
        for n in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" 2>/dev/null || break; sleep 0.2; done
        kill -KILL "$1" 2>/dev/null
        rm -rf "$2"
        """

    init(_ server: pid_t, _ folder: String) throws {
        var ends: [Int32] = [0, 0]
        // Other programs that the tests start must not hold the pipe open.
        guard Glibc.pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
            throw PostgreSQLServer.ServerError("There is no pipe.")
        }
        defer { close(ends[0]) }
        pipe = ends[1]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let command = ["/usr/bin/setsid", "/bin/sh", "-c", Self.script, "watchdog", String(server), folder]
        let arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { (arguments + environment).forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, command[0], &actions, nil, arguments, environment)
        self.process = process
        if code != 0 { throw PostgreSQLServer.ServerError("The watchdog can't be run: \(code)") }
    }

    /// The server has ended.
    func dismiss() {
        var byte = UInt8(ascii: "\n")
        _ = write(pipe, &byte, 1)
        close(pipe)
        _ = PostgreSQLServer.status(of: process)
    }
}
