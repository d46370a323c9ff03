// The state of an object as a whole: its marks, what contradicts itself, and what accessors test.

import CoreDataTestSupport
import Testing

@testable import CoreData

@Suite struct ObjectStateTests {
    private func state(
        isFault: Bool = false, _ traits: ObjectTraits = [], marks: [EventMarks.Step] = [],
        life: [Lifecycle.Step] = [], rows: [RowOwnership.Step] = []
    ) -> ObjectState {
        var state = ObjectState(isFault: isFault, traits)
        for step in rows { state.rows(step) }
        for step in life { state.apply(step) }
        for step in marks { state.mark(step) }
        return state
    }

    @Test func thePartsHaveNoBitInCommon() {
        let masks = [Lifecycle.Bit.all, RowOwnership.Bit.all, EventMarks.Bit.all, ObjectTraits.Bit.all]
        expect(masks.reduce(0, ^), equals: masks.reduce(0, |))
        #expect(Lifecycle.allCases.allSatisfy { $0.rawValue & ~Lifecycle.Bit.all == 0 })
        #expect(RowOwnership.allCases.allSatisfy { $0.rawValue & ~RowOwnership.Bit.all == 0 })
        for step in EventMarks.Step.allCases {
            expect((step.clears | step.sets) & ~EventMarks.Bit.all, equals: 0)
        }
    }

    @Test func marksOfAnEvent() {
        var state = state(marks: [.tracking, .beginning, .copying])
        expect(state.marks, equals: [.tracked, .pending, .freshRow])
        state.mark(.announcementOfNew)
        expect(state.marks, equals: [.tracked, .freshRow, .announced, .insertionAnnounced])
        state.mark(.telling)
        state.mark(.end)
        expect(state.marks, equals: [.tracked, .insertionAnnounced])
        state.mark(.commit)
        expect(state.marks, equals: [])
    }

    @Test func marksOfADeletion() {
        var state = state(marks: [.tracking, .beginning, .announcementOfDeleted, .telling])
        expect(state.marks, equals: [.tracked, .deletionAnnounced])
        state.mark(.beginning)
        state.mark(.announcement)
        expect(state.marks, equals: [.tracked, .announced])
        state.mark(.telling)
        state.mark(.untracking)
        expect(state.marks, equals: [])
    }

    @Test func marksThatEndALifeInTheContext() {
        let marked = state(marks: [.tracking, .beginning, .announcementOfNew, .telling, .beginning])
        expect(marked.marks, equals: [.tracked, .pending, .insertionAnnounced])
        func marks(after step: EventMarks.Step) -> EventMarks {
            var state = marked
            state.mark(step)
            return state.marks
        }
        expect(marks(after: .reversion), equals: [])
        expect(marks(after: .renewal), equals: [.tracked, .pending])
        expect(marks(after: .insertionLoss), equals: [.tracked, .pending])
        expect(marks(after: .abandonment), equals: .insertionAnnounced)
        expect(marks(after: .resurrection), equals: marked.marks)
    }

    @Test func aKeptRowIsMarkedUntilTheEventEnds() {
        var state = state(marks: [.tracking, .beginning, .copying, .keeping])
        expect(state.marks, equals: [.tracked, .pending, .freshRow, .keptRow])
        // Its memory is freed at the end, whatever became of the other rows.
        state.mark(.release)
        expect(state.marks, equals: [.tracked, .pending, .keptRow])
        state.mark(.end)
        expect(state.marks, equals: [.tracked, .pending])
    }

    @Test func marksOfASave() {
        var state = state(marks: [.tracking, .validation])
        expect(state.marks, equals: [.tracked, .validated])
        state.mark(.invalidation)
        expect(state.marks, equals: .tracked)
    }

    @Test func marksAreAskedForWhatTheyNeed() {
        let untracked = state()
        #expect(!EventMarks.Step.beginning.mayStart(from: untracked))
        #expect(!EventMarks.Step.announcement.mayStart(from: untracked))
        #expect(EventMarks.Step.tracking.mayStart(from: untracked))
        let tracked = state(marks: [.tracking, .beginning])
        #expect(!EventMarks.Step.tracking.mayStart(from: tracked))
        #expect(!EventMarks.Step.beginning.mayStart(from: tracked))
        #expect(EventMarks.Step.announcementOfNew.mayStart(from: tracked))
        #expect(!EventMarks.Step.copying.mayStart(from: state(marks: [.copying])))
    }

    #if DEBUG
        @Test func marksThatAreNotAllowedStopADebugBuild() async {
            await #expect(processExitsWith: .failure) {
                var state = ObjectState(isFault: false, [])
                state.mark(.beginning)
            }
            await #expect(processExitsWith: .failure) {
                var state = ObjectState(isFault: false, [])
                state.mark(.tracking)
                state.mark(.tracking)
            }
        }
    #endif

    @Test func statesThatContradictThemselves() {
        #expect(state().contradiction == nil)
        expect(state(life: [.insertion]).contradiction?.contains("tracked"), equals: true)
        #expect(state(marks: [.tracking], life: [.insertion]).contradiction == nil)
        expect(
            state(isFault: true, marks: [.tracking], life: [.insertion]).contradiction,
            equals: "is new and a fault")
        let pending = state(marks: [.tracking, .beginning, .untracking])
        expect(pending.contradiction?.contains("pending"), equals: true)
        let announced = state(marks: [.tracking, .beginning, .announcement])
        expect(announced.contradiction?.contains("told"), equals: true)
        #expect(state(marks: [.copying]).contradiction == nil)
        expect(state(marks: [.copying], rows: [.release]).contradiction?.contains("fresh"), equals: true)
    }

    @Test func whatPreparesValues() {
        #expect(!state().isBusy && !state().isSlow)
        #expect(state(isFault: true).isBusy)
        #expect(state(isFault: true, rows: [.arrival]).isBusy)
        #expect(!state(isFault: true, rows: [.arrival, .firing]).isBusy)
        for traits in [ObjectTraits.checked, .observed] { #expect(state(traits).isBusy) }
        #expect(!state(.layoutMismatch).isBusy && state(.layoutMismatch).isSlow)
        for traits in [ObjectTraits.untracked, .trackingOff, .inAccessor] { #expect(!state(traits).isSlow) }
    }

    @Test func whatIsMarked() {
        let changed: [EventMarks.Step] = [.tracking, .beginning]
        #expect(!state(marks: changed).isMarked)
        #expect(state(marks: changed, life: [.change]).isMarked)
        #expect(state(marks: changed, life: [.insertion]).isMarked)
        #expect(!state(marks: [.tracking], life: [.change]).isMarked)
        #expect(!state(marks: changed, life: [.change], rows: [.release]).isMarked)
        #expect(state(marks: changed, life: [.change], rows: [.release]).isNoted)
        #expect(state(.untracked).isMarked)
    }

    @Test func tagsFollowTheState() {
        let row = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        defer { row.deallocate() }
        let address = UInt(bitPattern: row)
        expect(state().tagged(row), equals: address)
        expect(state(isFault: true).tagged(row), equals: address + 1)
        expect(state(.untracked).tagged(row), equals: address + 2)
        let states = [
            state(), state(isFault: true), state(.untracked), state([.untracked, .checked]),
            state(.layoutMismatch), state(marks: [.tracking, .beginning], life: [.change]),
        ]
        for before in states {
            for after in states {
                expect(after.retagged(before.tagged(row), from: before), equals: after.tagged(row))
            }
        }
    }

    @Test func traitsAreApartFromTheRest() {
        var state = state(life: [.insertion, .deletion])
        state.insert([.trackingOff, .inAccessor])
        #expect(state.traits == [.trackingOff, .inAccessor] && state.lifecycle == .deletedInserted)
        state.remove(.trackingOff)
        #expect(state.traits == .inAccessor && state.ownership == .changed && state.marks == [])
        #expect(state.description.hasPrefix("deletedInserted, changed, 0x"))
    }
}
