// Whether anybody tracks what is read at the moment.

import CModelConstruction
import Observation

/// Asks Swift's Observation whether this thread runs a closure whose reads are tracked.
///
/// Nothing public tells. But a read that is tracked is entered in a list by its key path, and a key path with a subscript's
/// argument asks the argument for its hash: one that notes that. So a registrar of each model is made only where somebody
/// tracks. As ten reads of a model would pay for ten such questions, each thread learns the word of Observation's own that is 0 while
/// nobody tracks (`TrackingWord`), and looks at that first.
@usableFromInline
enum Tracking {
    @usableFromInline
    static var isOn: Bool {
        @inline(__always) get { ask() }
    }

    @usableFromInline @inline(never)
    static func ask() -> Bool { mayBeTracked() && askObservation() }

    @inline(never)
    private static func askObservation() -> Bool {
        let isTracked = isNoted()
        TrackingWord.learn(isTracked: isTracked)
        return isTracked
    }

    /// What Observation itself says.
    fileprivate static func isNoted() -> Bool {
        // Observation asks for hashes too as it joins lists at the end of a closure.
        _ = takeNotedRead()
        probe._withUnsafeGuaranteedRef { $0.registrar.access($0, keyPath: $0.path) }
        return takeNotedRead()
    }

    /// Never freed, so that a read counts no references to it. Sound because nothing of it changes.
    nonisolated(unsafe) private static let probe = Unmanaged.passRetained(Probe())

    private final class Probe: Observable {
        let registrar = ObservationRegistrar()
        let path: KeyPath<Probe, Int> = \Probe[Witness()]
        subscript(witness: Witness) -> Int { 0 }
    }

    private struct Witness: Hashable, Sendable {
        func hash(into hasher: inout Hasher) { noteTracking() }
    }
}

/// The word among a thread's variables of the library Observation that is 0 while no read on the thread is tracked.
///
/// It is found by trying: the only one that is 0 outside of `withObservationTracking`, another number within it, a third one
/// within a second one, the former again after that, and 0 at the end, while Observation itself says the same each time. Where
/// there is no such word, or more than one, Observation itself is asked at each read.
private enum TrackingWord {
    /// Has this thread know its word. Only while nothing is tracked: the first try would find other numbers.
    static func learn(isTracked: Bool) {
        guard !isTracked, currentKeyPathReader() == nil, let place else { return }
        setTrackingWord(words()?.baseAddress.map { $0 + place })
    }

    private static let place: Int? = find()

    private static func find() -> Int? {
        var answers: [Bool] = []
        var states: [[UInt]] = []
        func note() {
            answers.append(Tracking.isNoted())
            states.append(words().map(Array.init) ?? [])
        }
        note()
        withObservationTracking {
            note()
            withObservationTracking {
                note()
            } onChange: {
            }
            note()
        } onChange: {
        }
        note()
        guard answers == [false, true, true, true, false], Set(states.map(\.count)).count == 1 else {
            return nil
        }
        let found = states[0].indices.filter { word in
            let values = states.map { $0[word] }
            return values[0] == 0 && values[4] == 0 && values[1] != 0 && values[2] != 0
                && values[1] != values[2]
                && values[3] == values[1]
        }
        return found.count == 1 ? found[0] : nil
    }

    /// This thread's variables of the library. They stay where they are for as long as the thread runs: nothing unloads a library that
    /// the program is linked with.
    private static func words() -> UnsafeBufferPointer<UInt>? {
        let address = unsafeBitCast(ObservationRegistrar.self as Any.Type, to: UnsafeRawPointer.self)
        var count = 0
        guard let start = threadWords(address, &count) else { return nil }
        return UnsafeBufferPointer(start: start, count: count)
    }
}
