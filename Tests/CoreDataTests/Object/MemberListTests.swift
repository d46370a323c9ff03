// The members of a relationship that count as added, as they come and go.

import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite struct MemberListTests {
    /// Objects of no context, told apart by identity.
    private func objects(_ count: Int) -> [NSManagedObject] {
        let company = model.entitiesByName["Company"]
        return (0..<count).map { _ in
            NSManagedObject(entity: company ?? NSEntityDescription(), insertInto: nil)
        }
    }

    private let model: NSManagedObjectModel = {
        let company = NSEntityDescription()
        company.name = "Company"
        let model = NSManagedObjectModel()
        model.entities = [company]
        return model
    }()

    @Test func allMembersOfANewObjectAreAdditions() {
        let some = objects(3)
        var list = MemberList(areAdditions: true)
        #expect(!list.hasAdditions)
        for object in some { expect(list.appendShared(object), equals: true) }
        #expect(list.hasAdditions)
        expect(list.members, equals: some)
        expect(Array(list.added), equals: some)
    }

    @Test func aRemovedMemberIsNoAddition() {
        let some = objects(3)
        var list = MemberList(added: some)
        expect(list.added.remove(some[1]), equals: true)
        list.members.remove(at: 1)
        expect(list.members, equals: [some[0], some[2]])
        expect(Array(list.added), equals: [some[0], some[2]])
        // From here on additions are noted apart.
        expect(list.appendShared(some[1]), equals: false)
        expect(list.members.count, equals: 2)
    }

    @Test func membersThatChangeBesideTheAdditionsLeaveThemAsTheyAre() {
        let some = objects(2)
        var list = MemberList(added: some)
        list.members.reverse()
        expect(list.members, equals: [some[1], some[0]])
        expect(Array(list.added), equals: some)
    }

    @Test func aSaveLeavesTheMembers() {
        let some = objects(2)
        var list = MemberList(added: some)
        list.forgetAdditions()
        #expect(!list.hasAdditions)
        expect(Array(list.added), equals: [])
        expect(list.members, equals: some)
        list.added.append(some[0])
        #expect(list.hasAdditions)
    }

    @Test func everyObjectIsHandedOver() {
        let some = objects(3)
        var list = MemberList(added: Array(some[..<2]))
        list.added.append(some[2])
        var all: [NSManagedObject] = []
        list.moveAll(into: &all)
        expect(Set(all.map(ObjectIdentifier.init)), equals: Set(some.map(ObjectIdentifier.init)))
        expect(list.members, equals: [])
        #expect(!list.hasAdditions)
    }
}
