// Passes over many objects give the same as loops that count references, and arrays are shared where all is kept.

import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite struct ObjectPassesTests {
    private func made(_ count: Int, _ stack: TestStack) -> [NSManagedObject] {
        (0..<count).map { stack.context.make("Company", ["name": "\($0)"]) }
    }

    private func address(_ objects: [NSManagedObject]) -> UnsafePointer<NSManagedObject>? {
        objects.withUnsafeBufferPointer(\.baseAddress)
    }

    @Test func eachVisitsAllInOrderAndPassesErrorsOn() throws {
        let stack = try TestStack(model: CompanyModel.make())
        try stack.context.run {
            let objects = made(5, stack)
            var visited: [NSManagedObject] = []
            objects.each { visited.append($0) }
            expect(visited, equals: objects)
            #expect(throws: CancellationError.self) {
                try objects.each { if $0 === objects[3] { throw CancellationError() } }
            }
            [NSManagedObject]().each { _ in Issue.record("There is nothing to visit.") }
        }
    }

    @Test func objectsOfOneKindAreTheSameArray() throws {
        let stack = try TestStack(model: CompanyModel.make())
        try stack.context.run {
            let objects = made(4, stack)
            let sorted = objects.sorted { $0.isNew ? .second : nil }
            expect(address(sorted.second), equals: address(objects))
            #expect(sorted.first.isEmpty && sorted.third.isEmpty)
        }
    }

    @Test func objectsOfSeveralKindsKeepTheirOrder() throws {
        let stack = try TestStack(model: CompanyModel.make())
        try stack.context.run { () throws in
            let objects = made(9, stack)
            try stack.context.save()
            for number in [0, 4, 5] { stack.context.delete(objects[number]) }
            for number in [1, 8] { objects[number].setValue("changed", forKey: "name") }
            let sorted = objects.sorted { state in
                state.isDeleted ? .first : state.isUpdated ? .second : nil
            }
            expect(sorted.first, equals: [objects[0], objects[4], objects[5]])
            expect(sorted.second, equals: [objects[1], objects[8]])
            #expect(sorted.third.isEmpty)
            expect(objects.keeping { !$0.isDeleted }.count, equals: 6)
        }
    }

    @Test func arraysAreIdenticalIfTheirObjectsAre() throws {
        let stack = try TestStack(model: CompanyModel.make())
        try stack.context.run {
            let objects = made(3, stack)
            #expect(objects.isIdentical(to: objects))
            #expect(objects.isIdentical(to: objects.map { $0 }))
            #expect(!objects.isIdentical(to: objects.reversed()))
            #expect(!objects.isIdentical(to: Array(objects.dropLast())))
        }
    }

    @Test func classesAreLookedAtForEveryRun() throws {
        let stack = try TestStack(model: CompanyModel.make())
        try stack.context.run {
            let objects = made(3, stack)
            #expect(objects.areAll(NSManagedObject.self))
            #expect(!objects.areAll(Other.self))
            #expect([NSManagedObject]().areAll(Other.self))
        }
    }

    @Test func setsHaveEachElementOnce() {
        let numbers = Array(0..<1000)
        expect(Set(distinct: numbers), equals: Set(numbers))
        #expect(Set(distinct: [Int]()).isEmpty)
    }

    @Test func keysRiseOrDoNot() throws {
        let stack = try TestStack(model: CompanyModel.make())
        try stack.context.run { () throws in
            _ = made(4, stack)
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
            let objects = try stack.context.fetch(request)
            #expect(objects.haveRisingKeys && [NSManagedObject]().haveRisingKeys)
            #expect(!objects.reversed().haveRisingKeys && !(objects + [objects[3]]).haveRisingKeys)
        }
    }

    @Test func eachRefreshIsToldWithItsObjectOnce() throws {
        let stack = try TestStack(model: CompanyModel.make())
        let told = Mutex<[Int]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { note in
            let set = note.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject>
            told.withLock { $0.append(set?.count ?? 0) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try stack.context.run { () throws in
            let objects = made(2, stack)
            try stack.context.save()
            told.withLock { $0 = [] }
            for _ in 0..<2 { stack.context.refresh(objects[0], mergeChanges: true) }
            stack.context.processPendingChanges()
        }
        expect(told.withLock { $0 }, equals: [1, 1])
    }
}

private final class Other: NSManagedObject {}
