// The kernel's data about a thread.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ThreadSampleTests {
    private static let status =
        "Name:\tserver (x)\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t3\n"

    private func sample(_ state: String, _ call: String?, time: Int = 12) -> ThreadSample? {
        ThreadSample(
            stat: "41 (server (x) y) \(state) 1 41 41 0 -1 4194304 9 0 0 0 \(time) 8 0 0 20 0 4 0 77",
            status: Self.status, call: call, machine: .x86)
    }

    @Test func timesAndSleepsAreRead() throws {
        let sample = try #require(self.sample("S", "202 0x1 0x0 0x0 0x0 0x0 0x0 0x7 0x8"))
        expect(sample.time, equals: 20)
        expect(sample.sleeps, equals: 150)
        expect(sample.wait, equals: .lock)
        expect(self.sample("S", "202 0x1 0x0 0x0 0x0 0x0 0x0 0x7 0x8"), equals: sample)
        #expect(self.sample("S", "202 0x1 0x0 0x0 0x0 0x0 0x0 0x7 0x8", time: 13) != sample)
    }

    @Test(arguments: [
        ("202 0x1 0x80 0x0 0x7ffd 0x0 0x0 0x7 0x8", ThreadSample.Wait.limited),
        ("230 0x0 0x0 0x7ffd 0x7ffd 0x0 0x0 0x7 0x8", .limited),
        ("35 0x7ffd 0x0 0x0 0x0 0x0 0x0 0x7 0x8", .limited),
        ("232 0x5 0x7ffd 0x20 0xffffffff 0x0 0x0 0x7 0x8", .event),
        ("232 0x5 0x7ffd 0x20 0x3e8 0x0 0x0 0x7 0x8", .limited),
        ("281 0x5 0x7ffd 0x20 0xffffffffffffffff 0x0 0x8 0x7 0x8", .event),
        ("7 0x7ffd 0x1 0xffffffff 0x0 0x0 0x0 0x7 0x8", .event),
        ("7 0x7ffd 0x1 0x64 0x0 0x0 0x0 0x7 0x8", .limited),
        ("271 0x7ffd 0x1 0x0 0x0 0x8 0x0 0x7 0x8", .event),
        ("270 0x7ffd 0x1 0x0 0x0 0x7ffe 0x0 0x7 0x8", .limited),
        ("0 0x0 0x7ffd 0x400 0x0 0x0 0x0 0x7 0x8", .limited),
        ("0 0x4 0x7ffd 0x400 0x0 0x0 0x0 0x7 0x8", .event),
        ("61 0xffffffff 0x0 0x0 0x0 0x0 0x0 0x7 0x8", .event),
        ("running", .limited), ("", .unknown),
    ])
    func waitsAreToldApart(_ call: String, _ wait: ThreadSample.Wait) {
        expect(sample("S", call)?.wait, equals: wait)
        expect(sample("R", call)?.wait, equals: .limited)
        expect(sample("Z", call)?.wait, equals: .limited)
    }

    @Test func armHasNumbersOfItsOwn() {
        expect(SystemCalls.arm.wait("98 0x1 0x80 0x0 0x0 0x0 0x0 0x7 0x8"), equals: .lock)
        expect(SystemCalls.arm.wait("22 0x5 0x7ffd 0x20 0xffffffff 0x0 0x0 0x7 0x8"), equals: .event)
        expect(SystemCalls.arm.wait("63 0x0 0x7ffd 0x20 0x0 0x0 0x0 0x7 0x8"), equals: .limited)
    }

    @Test func whatIsNoSuchFileIsNoSample() {
        expect(sample("S", nil)?.wait, equals: .unknown)
        for text in [
            "", "1 (x", "1 (x) S 1 2", "1 (x) S 1 2 3 4 5 6 7 8 9 10 a b",
            "1 (x) S 1 2 3 4 5 6 7 8 9 10 18446744073709551615 9",
        ] {
            #expect(ThreadSample(stat: text, status: Self.status, call: nil, machine: .x86) == nil)
        }
        let stat = "41 (x) S 1 41 41 0 -1 4194304 9 0 0 0 1 8 0 0"
        #expect(ThreadSample(stat: stat, status: "", call: nil, machine: .x86) == nil)
    }

    #if os(Linux)
        @Test func theMainThreadCanBeLookedAt() throws {
            #expect(try #require(ThreadSample.ofMainThread()).time < 1_000_000_000)
        }
    #endif
}

@Suite struct MainQueuePatienceTests {
    private func sample(_ call: String, sleeps: Int = 1) throws -> ThreadSample {
        try #require(
            ThreadSample(
                stat: "41 (x) S 1 41 41 0 -1 4194304 9 0 0 0 1 8 0 0",
                status: "voluntary_ctxt_switches: \(sleeps)", call: call, machine: .x86))
    }

    private static let lock = "202 0x1 0x0 0x0 0x0 0x0 0x0 0x7 0x8"

    @Test func aThreadThatNeverWakesIsGivenUp() throws {
        var timeout = MainQueueTimeout(limit: 5)
        for _ in 0..<5 { expect(timeout.judge(try sample(Self.lock)), equals: .wait) }
        expect(timeout.judge(try sample(Self.lock)), equals: .giveUp)
    }

    @Test func waitsForEventsGetMoreTime() throws {
        var timeout = MainQueueTimeout(limit: 2)
        let call = "232 0x5 0x7ffd 0x20 0xffffffff 0x0 0x0 0x7 0x8"
        let verdicts = try (0..<13).map { _ in timeout.judge(try sample(call)) }
        expect(verdicts.firstIndex(of: .warn), equals: 2)
        expect(verdicts.firstIndex(of: .giveUp), equals: 12)
    }

    @Test func aThreadThatWakesOrSleepsForATimeIsOnlyWarnedOf() throws {
        var timeout = MainQueueTimeout(limit: 3)
        let waking = try (0..<100).map { timeout.judge(try sample(Self.lock, sleeps: $0)) }
        #expect(!waking.contains(.giveUp))
        expect(waking.filter { $0 == .warn }.count, equals: 1)
        timeout = MainQueueTimeout(limit: 3)
        let sleeping = try (0..<100).map { _ in
            timeout.judge(try sample("35 0x7ffd 0x0 0x0 0x0 0x0 0x0 0x7 0x8"))
        }
        #expect(!sleeping.contains(.giveUp))
    }

    @Test func theTimeStartsAnewWhenTheThreadWakes() throws {
        var timeout = MainQueueTimeout(limit: 3)
        for sleeps in [1, 1, 1, 2, 2, 2] {
            #expect(timeout.judge(try sample(Self.lock, sleeps: sleeps)) != .giveUp)
        }
        expect(timeout.judge(try sample(Self.lock, sleeps: 2)), equals: .giveUp)
    }

    @Test func withoutALimitNobodyGivesUp() throws {
        var timeout = MainQueueTimeout(limit: 0)
        for _ in 0..<50 { expect(timeout.judge(try sample(Self.lock)), equals: .wait) }
        timeout = MainQueueTimeout(limit: 3)
        let blind = (0..<50).map { _ in timeout.judge(nil) }
        #expect(!blind.contains(.giveUp) && blind.contains(.warn))
    }
}
