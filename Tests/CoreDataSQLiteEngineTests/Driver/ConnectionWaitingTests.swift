import CoreDataSQL
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@testable import CoreDataSQLiteEngine

@Suite struct ConnectionWaitingTests {
    private let sample: SampleStore
    private let holder: SQLiteEngine

    init() throws {
        sample = try SampleStore()
        holder = try sample.create()
    }

    private func engine(_ milliseconds: Int32, pragmas: [(name: String, value: String)] = []) throws
        -> SQLiteEngine
    {
        var options = OpeningOptions(.readWrite)
        options.busyMilliseconds = milliseconds
        options.pragmas = pragmas
        return try SQLiteEngine(path: sample.path, options)
    }

    private func failure(_ engine: SQLiteEngine) -> EngineFailure.Kind? {
        var kind: EngineFailure.Kind?
        do {
            try engine.transaction {}
        } catch {
            kind = (error as? EngineFailure)?.kind
        }
        return kind
    }

    /// The lock is held until the other one has asked for it, and been refused, many times.
    @Test func aLockThatIsGivenUpIsTaken() throws {
        let waiting = UncheckedReference(try engine(60_000))
        let isOver = DispatchSemaphore(value: 0)
        let kept = Mutex<Int?>(nil)
        try holder.transaction {
            Thread.detachNewThread {
                let count = try? waiting.value.transaction {
                    try waiting.value.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK) VALUES (7)"))
                }
                kept.withLock { $0 = count }
                isOver.signal()
            }
            expect(isOver.wait(timeout: .now() + .milliseconds(80)), equals: .timedOut)
        }
        isOver.wait()
        expect(kept.withLock { $0 }, equals: 1)
    }

    @Test func aLockThatIsKeptIsRefusedInTheEnd() throws {
        let (brief, none) = (try engine(30), try engine(0))
        try holder.transaction {
            expect(failure(brief), equals: .busy)
            expect(failure(none), equals: .busy)
            // Each wait begins anew.
            expect(failure(brief), equals: .busy)
        }
        expect(failure(brief), equals: nil)
    }

    @Test func aPragmaSetsTheTime() throws {
        let none = try engine(3_600_000, pragmas: [("busy_timeout", "1")])
        try holder.transaction { expect(failure(none), equals: .busy) }
        expect(failure(none), equals: nil)
    }

    @Test func nobodyWaitsWithoutTimeLeft() {
        var wait = LockWait()
        expect(wait.pause(number: 0, limit: 0), equals: false)
        expect(wait.pause(number: 0, limit: -1), equals: false)
        expect(wait.pause(number: 0, limit: 60_000), equals: true)
        var isLeft = true
        for number: Int32 in 0..<100_000 where isLeft { isLeft = wait.pause(number: number, limit: 2) }
        expect(isLeft, equals: false)
    }
}
