// The state machine of an object's life, without objects and stores.

import CoreDataTestSupport
import Testing

@testable import CoreData

@Suite struct LifecycleTests {
    /// For each step where it may start, and where it leads from there.
    private static let table: [Lifecycle.Step: [Lifecycle: Lifecycle]] = [
        .insertion: [
            .unchanged: .inserted, .removed: .inserted, .removedElsewhere: .inserted, .discarded: .inserted,
            .inaccessible: .inserted, .inaccessibleElsewhere: .inserted, .forgotten: .inserted,
        ],
        .change: [
            .unchanged: .updated, .updated: .updated, .deleted: .deletedUpdated,
            .deletedUpdated: .deletedUpdated, .deletedByRules: .deletedUpdatedByRules,
            .deletedUpdatedByRules: .deletedUpdatedByRules,
        ],
        .changeLoss: [
            .unchanged: .unchanged, .updated: .unchanged, .deleted: .deleted, .deletedUpdated: .deleted,
            .deletedByRules: .deletedByRules, .deletedUpdatedByRules: .deletedByRules,
            .deletedElsewhere: .deletedElsewhere, .removed: .removed, .removedElsewhere: .removedElsewhere,
            .discarded: .discarded, .inaccessible: .inaccessible,
            .inaccessibleElsewhere: .inaccessibleElsewhere, .forgotten: .forgotten,
        ],
        .deletion: [.unchanged: .deleted, .inserted: .deletedInserted, .updated: .deletedUpdated],
        .rules: [
            .deleted: .deletedByRules, .deletedInserted: .deletedInsertedByRules,
            .deletedUpdated: .deletedUpdatedByRules,
        ],
        .ruleRenewal: [
            .deletedByRules: .deleted, .deletedInsertedByRules: .deletedInserted,
            .deletedUpdatedByRules: .deletedUpdated,
        ],
        .restoration: [
            .unchanged: .unchanged, .inserted: .inserted, .updated: .updated, .deleted: .unchanged,
            .deletedInserted: .inserted, .deletedUpdated: .updated, .deletedByRules: .unchanged,
            .deletedInsertedByRules: .inserted, .deletedUpdatedByRules: .updated,
        ],
        .mergedDeletion: [
            .unchanged: .deletedElsewhere, .inserted: .deletedInsertedElsewhere, .updated: .deletedElsewhere,
            .deleted: .deletedElsewhere, .deletedInserted: .deletedInsertedElsewhere,
            .deletedUpdated: .deletedElsewhere, .deletedByRules: .deletedElsewhere,
            .deletedInsertedByRules: .deletedInsertedElsewhere, .deletedUpdatedByRules: .deletedElsewhere,
            .deletedElsewhere: .deletedElsewhere, .deletedInsertedElsewhere: .deletedInsertedElsewhere,
            .inaccessible: .inaccessibleElsewhere, .inaccessibleElsewhere: .inaccessibleElsewhere,
        ],
        .commit: [.unchanged: .unchanged, .inserted: .unchanged, .updated: .unchanged],
        .removal: [
            .deleted: .removed, .deletedInserted: .removed, .deletedUpdated: .removed,
            .deletedByRules: .removed, .deletedInsertedByRules: .removed, .deletedUpdatedByRules: .removed,
            .deletedElsewhere: .removedElsewhere, .deletedInsertedElsewhere: .removedElsewhere,
            .inaccessible: .inaccessible, .inaccessibleElsewhere: .inaccessibleElsewhere,
        ],
        .discarding: [
            .unchanged: .discarded, .inserted: .discarded, .deletedInserted: .discarded,
            .deletedInsertedByRules: .discarded, .deletedInsertedElsewhere: .discarded,
        ],
        .reversion: from(
            [
                .unchanged, .inserted, .updated, .deleted, .deletedInserted, .deletedUpdated, .deletedByRules,
                .deletedInsertedByRules, .deletedUpdatedByRules, .deletedElsewhere, .deletedInsertedElsewhere,
            ], to: .unchanged),
        .disappearance: [
            .unchanged: .inaccessible, .updated: .inaccessible, .deleted: .inaccessible,
            .deletedUpdated: .inaccessible, .deletedByRules: .inaccessible,
            .deletedUpdatedByRules: .inaccessible, .deletedElsewhere: .inaccessibleElsewhere,
            .removed: .inaccessible, .removedElsewhere: .inaccessibleElsewhere, .discarded: .inaccessible,
            .inaccessible: .inaccessible, .inaccessibleElsewhere: .inaccessibleElsewhere,
        ],
        .resurrection: [.unchanged: .inserted, .updated: .inserted],
        .rediscovery: [
            .inserted: .updated, .deletedInserted: .deletedUpdated,
            .deletedInsertedByRules: .deletedUpdatedByRules,
        ],
        .forgetting: from(Lifecycle.allCases, to: .forgotten),
        .renewal: from(Lifecycle.allCases, to: .unchanged),
    ]

    private static func from(_ origins: [Lifecycle], to end: Lifecycle) -> [Lifecycle: Lifecycle] {
        Dictionary(uniqueKeysWithValues: origins.map { ($0, end) })
    }

    /// A state of each lifecycle, reached by steps from that of an object that was just made.
    private static let states: [Lifecycle: ObjectState] = {
        var found = [Lifecycle.unchanged: ObjectState(isFault: false, [])]
        var work = Array(found.values)
        while let state = work.popLast() {
            for step in Lifecycle.Step.allCases where step.mayStart(from: state) {
                var next = state
                next.apply(step)
                guard let life = next.lifecycle, found[life] == nil else { continue }
                found[life] = next
                work.append(next)
            }
        }
        return found
    }()

    @Test func everyStepIsInTheTableAndEveryLifecycleCanBeReached() {
        expect(Set(Self.table.keys), equals: Set(Lifecycle.Step.allCases))
        expect(Set(Self.states.keys), equals: Set(Lifecycle.allCases))
    }

    @Test(arguments: Lifecycle.Step.allCases) func aStepLeadsFromWhereItMayStart(_ step: Lifecycle.Step)
        throws
    {
        let ends = try #require(Self.table[step])
        for origin in Lifecycle.allCases {
            var state = try #require(Self.states[origin])
            expect(step.mayStart(from: state), equals: (ends[origin] != nil), "\(step) from \(origin)")
            guard let end = ends[origin] else { continue }
            state.apply(step)
            expect(state.lifecycle, equals: end, "\(step) from \(origin)")
            #expect(state.ownership == .changed && state.marks.isEmpty && state.traits.isEmpty)
        }
    }

    #if DEBUG
        @Test(arguments: Lifecycle.Step.allCases.indices)
        func aStepFromElsewhereStopsADebugBuild(_ number: Int) async throws {
            let step = Lifecycle.Step.allCases[number]
            let others = Lifecycle.allCases.filter { Self.table[step]?[$0] == nil }
            guard let origin = others.first else {
                // Every object can be forgotten, and begin again.
                #expect(step == .forgetting || step == .renewal)
                return
            }
            await #expect(processExitsWith: .failure) {
                [number = number as Int, raw = origin.rawValue as UInt32] in
                guard let origin = Lifecycle(rawValue: raw), var state = LifecycleTests.states[origin] else {
                    return
                }
                state.apply(Lifecycle.Step.allCases[number])
            }
        }
    #endif

    @Test func asksOfALife() {
        func lives(_ isTrue: (ObjectState) -> Bool) -> Set<Lifecycle> {
            Set(Self.states.filter { isTrue($0.value) }.keys)
        }
        let gone: Set<Lifecycle> = [
            .removed, .removedElsewhere, .discarded, .inaccessible, .inaccessibleElsewhere, .forgotten,
        ]
        expect(lives(\.isLive), equals: [.unchanged, .inserted, .updated])
        expect(lives(\.isGone), equals: gone)
        expect(lives(\.isOutside), equals: gone.subtracting([.inaccessible, .inaccessibleElsewhere]))
        expect(lives(\.isDeletedForGood), equals: gone.union([.deletedElsewhere, .deletedInsertedElsewhere]))
        expect(lives(\.awaitsRules), equals: [.deleted, .deletedInserted, .deletedUpdated])
        expect(lives(\.isNewAndRemoved), equals: [.deletedInsertedByRules])
        expect(
            lives(\.isPendingForSave),
            equals: [
                .inserted, .updated, .deleted, .deletedUpdated, .deletedByRules, .deletedUpdatedByRules,
            ])
        expect(
            lives(\.hasChanges), equals: Set(Lifecycle.allCases).subtracting(gone).subtracting([.unchanged]))
        expect(lives(\.showsDeleted), equals: lives(\.isDeleted).subtracting([.removed, .removedElsewhere]))
    }
}
