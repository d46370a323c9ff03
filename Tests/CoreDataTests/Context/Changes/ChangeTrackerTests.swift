// What a context keeps of changes, with objects that belong to no context and no store.

import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite struct ChangeTrackerTests {
    private let model = CompanyModel.make()

    private func made(_ count: Int, _ step: Lifecycle.Step? = .insertion) throws -> [NSManagedObject] {
        let entity = try #require(model.entitiesByName["Company"])
        return (0..<count).map { _ in
            let object = NSManagedObject(entity: entity, insertInto: nil)
            if let step { object.state.apply(step) }
            return object
        }
    }

    private func tracker(_ objects: [NSManagedObject]) -> ChangeTracker {
        var tracker = ChangeTracker()
        for object in objects { _ = tracker.track(object) }
        return tracker
    }

    @Test func tellsWhatIsNewAboutAChange() throws {
        let objects = try made(2)
        var tracker = ChangeTracker()
        #expect(!tracker.hasEvent && !tracker.hasUnsaved)
        let news = [objects[0], objects[1], objects[0]].map { tracker.track($0) }
        expect(news[0], equals: .init(isFirstOfObject: true, beginsEvent: true))
        expect(news[1], equals: .init(isFirstOfObject: true, beginsEvent: false))
        expect(news[2], equals: .init())
        #expect(tracker.hasEvent && tracker.hasUnsaved && tracker.contradiction == nil)
        #expect(tracker.changed == objects && tracker.pending == objects)
    }

    @Test func anEventEndsWithWhatHappenedInIt() throws {
        let objects = try made(4)
        var tracker = tracker([objects[0]])
        tracker.noteRefreshed(objects[1])
        tracker.noteMerged(inserted: [objects[2]])
        tracker.noteMerged(deleted: objects[3])
        let event = tracker.endEvent()
        #expect(event.objects == [objects[0]] && event.refreshed == [objects[1]])
        #expect(event.merged.inserted == [objects[2]] && event.merged.deleted == [objects[3]])
        #expect(!tracker.hasEvent && tracker.changed == [objects[0]])
        for step in [EventMarks.Step.announcementOfNew, .telling] { objects[0].state.mark(step) }
        let next = tracker.track(objects[0])
        expect(next, equals: .init(isFirstOfObject: false, beginsEvent: true))
    }

    @Test func refreshedObjectsAloneAreAnEvent() throws {
        let objects = try made(3)
        var tracker = ChangeTracker()
        tracker.noteRefreshed(objects)
        #expect(tracker.hasEvent)
        let refreshed = tracker.takeRefreshed()
        #expect(refreshed == objects && !tracker.hasEvent)
    }

    @Test func aSaveIsForWhatChanged() throws {
        let (new, old) = (try made(2), try made(2, nil))
        old[0].state.apply(.change)
        new[1].state.apply(.deletion)
        var tracker = tracker(new + old)
        expect(tracker.objectsToSave, equals: [new[0], old[0]])
        expect(tracker.tracked { $0 !== new[0] }, equals: [new[1], old[0], old[1]])
        tracker.forgetSaved()
        #expect(tracker.changed.isEmpty && !tracker.hasUnsaved)
    }

    @Test func whatHasNothingToSaveIsLeftOut() throws {
        let (new, old) = (try made(2), try made(3, nil))
        new[1].state.apply(.deletion)
        old[0].state.apply(.change)
        var tracker = tracker(new + [old[0], old[1]])
        old[2].state.apply(.mergedDeletion)
        tracker.trackDeletedElsewhere(old[2])
        tracker.trackDeletedElsewhere(old[2])
        #expect(tracker.changed == new + old && tracker.pending == new + [old[0], old[1]])
        let leaving = tracker.leaveOutNoOps()
        expect(leaving, equals: [new[1], old[2]])
        expect(tracker.changed, equals: [new[0], old[0]])
        #expect([new[1], old[1], old[2]].allSatisfy { !$0.state.marks.contains(.tracked) })
    }

    @Test func othersDeletionsAloneAreUnsaved() throws {
        let object = try made(1, .mergedDeletion)[0]
        var tracker = ChangeTracker()
        tracker.trackDeletedElsewhere(object)
        #expect(tracker.hasUnsaved && tracker.objectsToSave.isEmpty && !tracker.hasEvent)
    }

    @Test func droppedChangesLeaveNoTrace() throws {
        let objects = try made(3, .change)
        var tracker = tracker([objects[0], objects[1]])
        tracker.dropChanges(of: objects[0])
        tracker.dropChanges(of: objects[2])
        expect(tracker.changed, equals: [objects[1]])
        #expect(objects[0].state.lifecycle == .unchanged && objects[2].state.lifecycle == .updated)
        tracker.remove(objects[1])
        #expect(tracker.changed.isEmpty && tracker.pending == [objects[0]])
    }

    @Test func aRollbackKeepsWhatOthersDeleted() throws {
        let (mine, others) = (try made(2, .change), try made(1, .mergedDeletion))
        var tracker = tracker(mine)
        tracker.trackDeletedElsewhere(others[0])
        let reverted = tracker.takeAllForRollback()
        expect(reverted, equals: mine)
        #expect(tracker.changed == others && tracker.pending.isEmpty)
    }

    @Test func anAbandonedListLeavesItsObjectsUnmarked() throws {
        let objects = try made(2)
        tracker(objects).abandon()
        #expect(objects.allSatisfy { $0.state.marks.isEmpty && $0.state.isNew })
    }

    @Test func listsAndMarksThatDisagreeAreFound() throws {
        let objects = try made(2)
        let tracker = tracker(objects)
        objects[0].state.mark(.untracking)
        expect(tracker.contradiction?.contains("not marked"), equals: true)
        objects[0].state.mark(.tracking)
        #expect(tracker.contradiction == nil)
        var twice = ChangeTracker()
        for object in [objects[0], objects[0]] {
            object.state.mark(.abandonment)
            _ = twice.track(object)
        }
        expect(twice.contradiction?.contains("twice"), equals: true)
    }

    @Test func longListsAreSampled() throws {
        let objects = try made(ChangeTracker.checkLimit * 3)
        let sample = ChangeTracker.sample(objects)
        #expect(sample.count == ChangeTracker.checkLimit && sample[1] === objects[3])
        expect(ChangeTracker.sample(Array(objects.prefix(5))), equals: Array(objects.prefix(5)))
    }
}
