// The common parts of tests of merging.

import CoreData
import CoreDataTestSupport
import Foundation

/// Two contexts on one coordinator, and one save of the second to be merged into the first.
final class MergingPair {
    let stack: TestStack
    let mine: NSManagedObjectContext
    let theirs: NSManagedObjectContext

    init(_ type: String, model: NSManagedObjectModel = CompanyModel.make()) throws {
        stack = try TestStack(type: type, model: model)
        mine = stack.context
        theirs = stack.another()
    }

    /// Saves the changes of `body` in the other context and returns the notification in one of its two forms.
    func saving(
        _ name: Notification.Name = .NSManagedObjectContextDidSave,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws -> Notification {
        let posted = Posted(name, theirs)
        try theirs.run { () throws in
            try body(theirs)
            try theirs.save()
        }
        return Notification(name: name, object: theirs, userInfo: posted.userInfo)
    }
}

/// The names of what a context posts, in order.
final class PostedOrder {
    private let tokens: [any NSObjectProtocol]
    private let box = Box()

    final class Box: @unchecked Sendable {  // written and read on one queue
        var names: [Notification.Name] = []
    }

    init(_ names: [Notification.Name], _ context: NSManagedObjectContext) {
        let box = box
        tokens = names.map {
            NotificationCenter.default.addObserver(forName: $0, object: context, queue: nil) {
                box.names.append($0.name)
            }
        }
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    var names: [Notification.Name] { box.names }
}
