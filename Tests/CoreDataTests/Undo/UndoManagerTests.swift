import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A value whose changes register their undoing, as a client's do.
private final class Counter {
    let manager: UndoManager
    var value = 0

    init(_ manager: UndoManager) {
        self.manager = manager
    }

    func set(_ new: Int) {
        let old = value
        manager.registerUndo(withTarget: self) { $0.set(old) }
        value = new
    }

    func group(_ new: Int) {
        manager.beginUndoGrouping()
        set(new)
        manager.endUndoGrouping()
    }
}

@Suite struct UndoManagerTests {
    private func pair(byEvent: Bool = true) -> (UndoManager, Counter) {
        let manager = UndoManager()
        manager.groupsByEvent = byEvent
        return (manager, Counter(manager))
    }

    @Test func anEventIsOneGroup() {
        let (manager, counter) = pair()
        counter.set(1)
        counter.set(2)
        #expect(manager.groupingLevel == 1 && manager.canUndo && !manager.canRedo && manager.undoCount == 1)
        manager.undo()
        #expect(counter.value == 0 && !manager.canUndo && manager.canRedo && manager.redoCount == 1)
        manager.redo()
        #expect(counter.value == 2 && manager.canUndo && !manager.canRedo)
        counter.set(3)
        manager.endEvent()
        #expect(manager.groupingLevel == 0 && manager.undoCount == 2)
        manager.undo()
        expect(counter.value, equals: 2)
    }

    @Test func groupsByHand() {
        let (manager, counter) = pair(byEvent: false)
        for number in 1...3 { counter.group(number) }
        manager.undo()
        manager.undo()
        #expect(counter.value == 1 && manager.undoCount == 1 && manager.redoCount == 2)
        manager.redo()
        expect(counter.value, equals: 2)
        counter.group(9)
        #expect(!manager.canRedo)
        manager.redo()
        expect(counter.value, equals: 9)
    }

    @Test func nestedGroups() {
        let (manager, counter) = pair(byEvent: false)
        manager.beginUndoGrouping()
        counter.set(1)
        counter.group(2)
        expect(manager.groupingLevel, equals: 1)
        manager.undoNestedGroup()
        #expect(counter.value == 1 && manager.canRedo && manager.groupingLevel == 1)
        counter.group(3)
        manager.endUndoGrouping()
        manager.undo()
        expect(counter.value, equals: 0)
        manager.redo()
        expect(counter.value, equals: 3)
        // An empty group is a group.
        manager.beginUndoGrouping()
        manager.endUndoGrouping()
        expect(manager.undoCount, equals: 2)
    }

    @Test func levels() {
        let (manager, counter) = pair(byEvent: false)
        for number in 1...5 { counter.group(number) }
        manager.levelsOfUndo = 3
        expect(manager.undoCount, equals: 3)
        counter.group(6)
        #expect(manager.undoCount == 3 && manager.levelsOfUndo == 3)
        while manager.canUndo { manager.undo() }
        expect(counter.value, equals: 3)
    }

    @Test func registrationCanBeDisabled() {
        let (manager, counter) = pair()
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        counter.set(1)
        #expect(!manager.canUndo && manager.groupingLevel == 0)
        manager.enableUndoRegistration()
        counter.set(2)
        manager.undo()
        expect(counter.value, equals: 1)
    }

    @Test func actionsAreForgotten() {
        let (manager, counter) = pair(byEvent: false)
        let other = Counter(manager)
        counter.group(1)
        other.group(1)
        manager.undo()
        manager.removeAllActions(withTarget: counter)
        #expect(!manager.canUndo && manager.canRedo)
        manager.disableUndoRegistration()
        manager.removeAllActions()
        #expect(!manager.canRedo && manager.isUndoRegistrationEnabled)
    }

    @Test func targetsAreNotRetained() {
        let (manager, _) = pair()
        weak var target: Counter?
        do {
            let counter = Counter(manager)
            counter.set(1)
            target = counter
        }
        #expect(target == nil && manager.canUndo)
        manager.undo()
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test func namesAndValues() {
        let (manager, counter) = pair(byEvent: false)
        #expect(manager.undoActionName.isEmpty && manager.undoMenuItemTitle == "Undo")
        let key = UndoManager.UserInfoKey(rawValue: "place")
        #expect(key.rawValue == "place" && key == UndoManager.UserInfoKey("place"))
        manager.beginUndoGrouping()
        counter.group(1)
        manager.setActionName("Count")
        manager.setActionIsDiscardable(true)
        manager.setActionUserInfoValue(7, forKey: key)
        manager.endUndoGrouping()
        #expect(manager.undoActionName == "Count" && manager.undoMenuItemTitle == "Undo Count")
        #expect(manager.undoActionIsDiscardable && !manager.redoActionIsDiscardable)
        expect(manager.undoActionUserInfoValue(forKey: key) as? Int, equals: 7)
        manager.undo()
        #expect(manager.redoActionName == "Count" && manager.redoMenuItemTitle == "Redo Count")
        #expect(manager.redoActionIsDiscardable)
        expect(manager.redoActionUserInfoValue(forKey: UndoManager.UserInfoKey("place")) as? Int, equals: 7)
        expect(manager.redoMenuTitle(forUndoActionName: ""), equals: "Redo")
        manager.redo()
        manager.setActionName("Again")
        expect(manager.undoActionName, equals: "Again")
        expect(manager.undoMenuTitle(forUndoActionName: "x"), equals: "Undo x")
    }

    @Test func notifications() {
        let (manager, counter) = pair()
        nonisolated(unsafe) var posted: [String] = []
        let names: [(NSNotification.Name, String)] = [
            (.NSUndoManagerCheckpoint, "check"), (.NSUndoManagerDidOpenUndoGroup, "open"),
            (.NSUndoManagerWillCloseUndoGroup, "closing"), (.NSUndoManagerDidCloseUndoGroup, "closed"),
            (.NSUndoManagerWillUndoChange, "undoing"), (.NSUndoManagerDidUndoChange, "undone"),
            (.NSUndoManagerWillRedoChange, "redoing"), (.NSUndoManagerDidRedoChange, "redone"),
        ]
        let observers = names.map { name, short in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) {
                let key = NSUndoManagerGroupIsDiscardableKey
                posted.append($0.userInfo?[key] as? Bool == true ? short + "!" : short)
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        counter.set(1)
        expect(posted, equals: ["open"])
        manager.setActionIsDiscardable(true)
        manager.endEvent()
        expect(posted, equals: ["open", "check", "closing!", "closed!"])
        posted = []
        manager.undo()
        expect(posted.filter { $0 != "check" }, equals: ["undoing", "open", "closing!", "closed!", "undone"])
        expect(posted.first, equals: "check")
        posted = []
        _ = manager.canRedo
        expect(posted, equals: ["check"])
        manager.redo()
        #expect(posted.contains("redoing") && posted.last == "redone")
    }

    @Test func whatItIsDoing() {
        let manager = UndoManager()
        var seen: [Bool] = []
        let target = NSObject()
        func register() {
            manager.registerUndo(withTarget: target) { _ in
                seen += [manager.isUndoing, manager.isRedoing]
                register()
            }
        }
        register()
        manager.undo()
        manager.redo()
        #expect(seen == [true, false, false, true] && !manager.isUndoing && !manager.isRedoing)
        #expect(NSUndoCloseGroupingRunLoopOrdering == 350_000 && manager.runLoopModes == [.default])
    }

    @Test func brokenContractsRaise() async {
        await #expect(processExitsWith: .failure) { UndoManager().endUndoGrouping() }
        await #expect(processExitsWith: .failure) { UndoManager().enableUndoRegistration() }
        await #expect(processExitsWith: .failure) {
            let manager = UndoManager()
            manager.groupsByEvent = false
            manager.registerUndo(withTarget: manager) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            let manager = UndoManager()
            manager.beginUndoGrouping()
            manager.beginUndoGrouping()
            manager.undo()
        }
    }
}
