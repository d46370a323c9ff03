// Observers of progresses with one method.

import AppleShims
import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

private final class Watcher: KeyValueObserver {
    let seen = Mutex<[String]>([])

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        let values = [change?[.oldKey], change?[.newKey]].map { ($0 as? NSNumber)?.stringValue ?? "-" }
        let line = "\(keyPath ?? "") \(object is Progress) \(values.joined(separator: " "))"
        seen.withLock { $0.append(line) }
    }

    func waitForLines(_ count: Int) async throws {
        while seen.withLock({ $0.count }) < count { try await Task.sleep(for: .milliseconds(20)) }
    }
}

@Suite struct ProgressObserverTests {
    @Test(.timeLimit(.minutes(20))) func observersAreTold() async throws {
        let progress = Progress(totalUnitCount: 4)
        let watcher = Watcher()
        progress.addObserver(
            watcher, forKeyPath: "fractionCompleted", options: [.initial, .old, .new], context: nil)
        expect(watcher.seen.withLock { $0 }, equals: ["fractionCompleted true - 0.0"])
        progress.completedUnitCount = 1
        try await watcher.waitForLines(2)
        expect(watcher.seen.withLock { $0 }.last, equals: "fractionCompleted true 0.0 0.25")
        progress.removeObserver(watcher, forKeyPath: "fractionCompleted")
        progress.completedUnitCount = 4
        let other = Watcher()
        progress.addObserver(other, forKeyPath: "isFinished", options: .initial, context: nil)
        expect(other.seen.withLock { $0 }, equals: ["isFinished true - -"])
        progress.cancel()
        progress.addObserver(other, forKeyPath: "isCancelled", options: [.initial, .new], context: nil)
        expect(other.seen.withLock { $0 }.last, equals: "isCancelled true - 1")
        progress.removeObserver(other, forKeyPath: "isCancelled", context: nil)
        expect(watcher.seen.withLock { $0.count }, equals: 2)
    }

    @Test func neitherKeepsTheOther() {
        weak var gone: Watcher?
        let progress = Progress(totalUnitCount: 4)
        do {
            let watcher = Watcher()
            progress.addObserver(watcher, forKeyPath: "completedUnitCount", context: nil)
            gone = watcher
        }
        #expect(gone == nil)
    }

    @Test func whatIsntThereRaises() async {
        await #expect(processExitsWith: .failure) {
            Progress(totalUnitCount: 1).addObserver(Watcher(), forKeyPath: "mood", context: nil)
        }
        await #expect(processExitsWith: .failure) {
            Progress(totalUnitCount: 1).removeObserver(Watcher(), forKeyPath: "isPaused")
        }
    }
}
