// Objects whose rows were gone for a while, as those are for a child that its parent deletes and has again after a rollback.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ReappearanceTests {
    private let stack: TestStack
    private let child: NSManagedObjectContext
    /// The object that the parent deletes, as the parent and the child have it.
    private let knot: NSManagedObject
    private let mine: NSManagedObject

    init() throws {
        stack = try TestStack(model: RivalGraphModel.make { .nullifyDeleteRule })
        child = ContextTree.child(of: stack.context)
        knot = stack.context.make("Knot", ["name": "knot"])
        for entity in ["Knot", "Bag", "Tag", "Pin"] { _ = stack.context.make(entity, ["name": "other"]) }
        try stack.context.save()
        mine = child.object(with: knot.objectID)
    }

    /// A relationship of another object that leads to the knot.
    struct Link: CustomTestStringConvertible, Sendable {
        let entity: String
        let name: String
        let back: String
        var testDescription: String { "\(entity).\(name)" }
    }

    private static let links = [
        Link(entity: "Tag", name: "knots", back: "tags"), Link(entity: "Bag", name: "knots", back: "bag"),
        Link(entity: "Pin", name: "knot", back: "pin"), Link(entity: "Knot", name: "parts", back: "whole"),
        Link(entity: "Knot", name: "whole", back: "parts"),
        Link(entity: "Knot", name: "friends", back: "friends"),
        Link(entity: "Knot", name: "twin", back: "twin"),
    ]

    private func other(_ link: Link, in context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(context.all(link.entity, "name == 'other'").first)
    }

    /// Connects another object with the knot in the child while the parent has deleted it.
    private func connectWhileGone(_ link: Link) throws -> NSManagedObject {
        let other = try other(link, in: child)
        stack.context.delete(knot)
        stack.context.processPendingChanges()
        connect(other, link, mine)
        stack.context.rollback()
        return other
    }

    private func connect(_ other: NSManagedObject, _ link: Link, _ knot: NSManagedObject) {
        switch other.value(forKey: link.name) {
        case is NSOrderedSet: other.mutableOrderedSetValue(forKey: link.name).add(knot)
        case is NSSet: other.mutableSetValue(forKey: link.name).add(knot)
        default: other.setValue(knot, forKey: link.name)
        }
    }

    private func expectAgreement(_ link: Link, _ other: NSManagedObject, _ knot: NSManagedObject) {
        expect(Self.objects(link.name, of: other), equals: [knot])
        expect(Self.objects(link.back, of: knot), equals: [other])
    }

    private static func objects(_ name: String, of object: NSManagedObject) -> [NSManagedObject] {
        switch object.value(forKey: name) {
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let other as NSManagedObject: [other]
        default: []
        }
    }

    @Test(arguments: links) func whatWasConnectedMeanwhileStaysConnected(_ link: Link) throws {
        let other = try connectWhileGone(link)
        _ = try child.all("Knot", "name == 'knot'")
        #expect(!mine.isDeleted && mine.value(forKey: "name") as? String == "knot")
        expectAgreement(link, other, mine)
        child.refreshAllObjects()
        expectAgreement(link, other, mine)
        try child.save()
        try expectAgreement(link, self.other(link, in: stack.context), knot)
        try stack.context.save()
        let fresh = stack.another()
        let stored = fresh.object(with: knot.objectID)
        try expectAgreement(link, self.other(link, in: fresh), stored)
    }

    /// The child's save leaves out what is gone for it.
    @Test(arguments: links) func theParentAgreesOnWhatIsGoneForAChild(_ link: Link) throws {
        _ = try connectWhileGone(link)
        try child.save()
        let other = try other(link, in: stack.context)
        #expect(Self.objects(link.name, of: other).isEmpty && Self.objects(link.back, of: knot).isEmpty)
        try stack.context.save()
        let fresh = stack.another()
        try expect(stack.coordinator.managedObjectModel.contradictions(in: fresh.graphState()), equals: [])
    }

    /// What was taken out of a relationship while its object was gone stays out, whichever side holds the key.
    @Test(arguments: links, [true, false])
    func whatWasDisconnectedMeanwhileStaysSo(_ link: Link, isLookedAt: Bool) throws {
        let above = try other(link, in: stack.context)
        connect(above, link, knot)
        try stack.context.save()
        let other = try other(link, in: child)
        expect(Self.objects(link.name, of: other), equals: [mine])
        child.refresh(mine, mergeChanges: false)
        stack.context.delete(knot)
        stack.context.processPendingChanges()
        _ = mine.value(forKey: "name")
        switch other.value(forKey: link.name) {
        case is NSOrderedSet: other.mutableOrderedSetValue(forKey: link.name).remove(mine)
        case is NSSet: other.mutableSetValue(forKey: link.name).remove(mine)
        default: other.setValue(nil, forKey: link.name)
        }
        stack.context.rollback()
        if isLookedAt { _ = try child.all("Knot", "name == 'knot'") }
        try child.save()
        #expect(Self.objects(link.name, of: above).isEmpty && Self.objects(link.back, of: knot).isEmpty)
        try stack.context.save()
        let fresh = stack.another()
        try expect(stack.coordinator.managedObjectModel.contradictions(in: fresh.graphState()), equals: [])
    }

    /// A refresh of all objects looks whether rows that were gone are there again.
    @Test(arguments: links) func aRefreshFindsRowsAgain(_ link: Link) throws {
        let other = try connectWhileGone(link)
        #expect(mine.isDeleted)
        child.refreshAllObjects()
        #expect(!mine.isDeleted && mine.value(forKey: "name") as? String == "knot")
        expectAgreement(link, other, mine)
        stack.context.delete(knot)
        stack.context.processPendingChanges()
        child.rollback()
        child.refreshAllObjects()
        #expect(mine.value(forKey: "name") == nil && mine.isDeleted)
    }

    /// A change that was dropped meanwhile doesn't come back.
    @Test func whatWasDisconnectedAgainStaysSo() throws {
        let link = Self.links[0]
        let other = try connectWhileGone(link)
        other.mutableSetValue(forKey: "knots").remove(mine)
        _ = try child.all("Knot", "name == 'knot'")
        #expect(Self.objects("knots", of: other).isEmpty && Self.objects("tags", of: mine).isEmpty)
        child.reset()
        let again = try #require(try child.all("Knot", "name == 'knot'").first)
        #expect(Self.objects("tags", of: again).isEmpty && !child.hasChanges)
    }
}
