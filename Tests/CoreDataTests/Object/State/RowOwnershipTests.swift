// The state machine of an object's rows, without objects and stores.

import CoreDataTestSupport
import Testing

@testable import CoreData

@Suite struct RowOwnershipTests {
    /// For each step where it may start, and where it leads from there.
    private static let table: [RowOwnership.Step: [RowOwnership: RowOwnership]] = [
        .arrival: [.fault: .faultWithRow, .faultWithRow: .faultWithRow],
        .firing: [.faultWithRow: .shared],
        .emptying: [.fault: .shared, .faultWithRow: .shared],
        .failure: [.fault: .unreadable, .faultWithRow: .unreadable],
        .recovery: [
            .shared: .shared, .fault: .fault, .faultWithRow: .faultWithRow, .faultChanged: .faultChanged,
            .changed: .changed,
            .saved: .saved,
            .changedSinceSave: .changedSinceSave, .unreadable: .shared, .unreadableChanged: .changed,
        ],
        .copying: [
            .shared: .changed, .saved: .changedSinceSave, .unreadable: .unreadableChanged,
            .fault: .faultChanged,
        ],
        .replacement: [
            .shared: .changed, .fault: .changed, .faultWithRow: .changed, .unreadable: .changed,
        ],
        .reverting: [.changed: .shared, .changedSinceSave: .saved, .unreadableChanged: .unreadable],
        .commit: [.changed: .saved, .changedSinceSave: .saved],
        .stamping: [.shared: .saved],
        .committedLoss: [.changed: .changed, .changedSinceSave: .changed],
        .release: [
            .shared: .shared, .fault: .fault, .faultWithRow: .faultWithRow, .faultChanged: .fault,
            .changed: .shared,
            .saved: .shared,
            .changedSinceSave: .shared, .unreadable: .unreadable, .unreadableChanged: .unreadable,
        ],
        .faulting: [.shared: .fault, .fault: .fault, .faultWithRow: .fault, .unreadable: .fault],
    ]

    /// A state of each kind, reached by steps from that of a fault.
    private static let states: [RowOwnership: ObjectState] = {
        var found = [RowOwnership.fault: ObjectState(isFault: true, [])]
        var work = Array(found.values)
        while let state = work.popLast() {
            for step in RowOwnership.Step.allCases where step.mayStart(from: state) {
                var next = state
                next.rows(step)
                guard let rows = next.ownership, found[rows] == nil else { continue }
                found[rows] = next
                work.append(next)
            }
        }
        return found
    }()

    @Test func everyStepIsInTheTableAndEveryOwnershipCanBeReached() {
        expect(Set(Self.table.keys), equals: Set(RowOwnership.Step.allCases))
        expect(Set(Self.states.keys), equals: Set(RowOwnership.allCases))
    }

    @Test(arguments: RowOwnership.Step.allCases)
    func aStepLeadsFromWhereItMayStart(_ step: RowOwnership.Step) throws {
        let ends = try #require(Self.table[step])
        for origin in RowOwnership.allCases {
            var state = try #require(Self.states[origin])
            expect(step.mayStart(from: state), equals: (ends[origin] != nil), "\(step) from \(origin)")
            guard let end = ends[origin] else { continue }
            state.rows(step)
            expect(state.ownership, equals: end, "\(step) from \(origin)")
            #expect(state.lifecycle == .unchanged && state.marks.isEmpty && state.traits.isEmpty)
        }
    }

    #if DEBUG
        @Test(arguments: RowOwnership.Step.allCases.indices)
        func aStepFromElsewhereStopsADebugBuild(_ number: Int) async throws {
            let step = RowOwnership.Step.allCases[number]
            let others = RowOwnership.allCases.filter { Self.table[step]?[$0] == nil }
            guard let origin = others.first else {
                // Nothing may be freed, and nothing recovered.
                #expect(step == .release || step == .recovery)
                return
            }
            await #expect(processExitsWith: .failure) {
                [number = number as Int, raw = origin.rawValue as UInt32] in
                guard let origin = RowOwnership(rawValue: raw),
                    var state = RowOwnershipTests.states[origin]
                else { return }
                state.rows(RowOwnership.Step.allCases[number])
            }
        }
    #endif
}
