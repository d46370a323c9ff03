import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ParentTests {
    @Test func aChildHasItsParentsCoordinator() throws {
        let tree = try ContextTree()
        #expect(
            tree.leaf.parent === tree.middle && tree.middle.parent === tree.root && tree.root.parent == nil)
        #expect(tree.leaf.persistentStoreCoordinator === tree.container.persistentStoreCoordinator)
        tree.leaf.persistentStoreCoordinator = tree.container.persistentStoreCoordinator
        tree.leaf.parent = tree.middle
        #expect(tree.leaf.parent === tree.middle)
    }

    @Test func aParentMayGetItsCoordinatorLater() throws {
        let container = try StoreKind.inMemory.makeContainer()
        let root = NSManagedObjectContext(.privateQueue)
        let child = ContextTree.child(of: root)
        root.persistentStoreCoordinator = container.persistentStoreCoordinator
        #expect(try child.all("Company").isEmpty)
    }

    @Test func aChildKeepsItsParentAlive() throws {
        let container = try StoreKind.inMemory.makeContainer()
        weak var parent: NSManagedObjectContext?
        let child: NSManagedObjectContext = {
            let root = NSManagedObjectContext(.privateQueue)
            root.persistentStoreCoordinator = container.persistentStoreCoordinator
            parent = root
            return ContextTree.child(of: root)
        }()
        _ = child.make("Company", ["name": "Acme"])
        try child.save()
        expect(parent?.hasChanges, equals: true)
        try expect(child.strings("Company"), equals: ["Acme"])
    }

    @Test func aChildThatIsGoneLeavesNothingBehind() throws {
        let tree = try ContextTree()
        weak var gone: NSManagedObjectContext?
        var left: NSManagedObject?
        do {
            let child = ContextTree.child(of: tree.root)
            left = child.make("Company", ["name": "Acme"])
            gone = child
        }
        #expect(gone == nil && left?.managedObjectContext == nil)
        expect(left?.value(forKey: "name") as? String, equals: "Acme")
        #expect(!tree.root.hasChanges)
    }

    @Test func aSecondParentRaises() async {
        await #expect(processExitsWith: .failure) {
            let tree = try ContextTree()
            tree.leaf.parent = tree.root
        }
    }

    @Test func aParentBesidesACoordinatorRaises() async {
        await #expect(processExitsWith: .failure) {
            let tree = try ContextTree()
            tree.fresh().parent = tree.root
        }
    }

    @Test func aCoordinatorBesidesAParentRaises() async {
        await #expect(processExitsWith: .failure) {
            let tree = try ContextTree()
            tree.leaf.persistentStoreCoordinator = NSPersistentStoreCoordinator(
                managedObjectModel: CompanyModel.make())
        }
    }

    @Test func aParentWithoutAQueueRaises() async {
        await #expect(processExitsWith: .failure) {
            let parent = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            NSManagedObjectContext(.privateQueue).parent = parent
        }
    }

    @Test func aCircleOfParentsRaises() async {
        await #expect(processExitsWith: .failure) {
            let first = NSManagedObjectContext(.privateQueue)
            let second = NSManagedObjectContext(.privateQueue)
            second.parent = first
            first.parent = second
        }
    }
}
