// The members of a to-many relationship, and which of them were added since the last save.

import Foundation

/// Members in their order beside the additions among them. All members of an object that was never saved are additions, mostly in
/// the order in which they were added: then one list serves for both.
struct MemberList {
    private var list: [NSManagedObject] = []
    private var additions = ObjectList()
    /// Indicates that `list` serves for `additions` too, which is empty.
    private var isShared: Bool

    /// No members yet.
    ///
    /// - Parameter areAdditions: whether each that comes is one that the store hasn't got.
    init(areAdditions: Bool) { isShared = areAdditions }

    /// Members all of which are additions.
    init(added objects: [NSManagedObject]) {
        list = objects
        isShared = true
    }

    var members: [NSManagedObject] {
        get { list }
        _modify {
            separate()
            yield &list
        }
    }

    var added: ObjectList {
        get { isShared ? ObjectList(list) : additions }
        _modify {
            separate()
            yield &additions
        }
    }

    var hasAdditions: Bool { isShared ? !list.isEmpty : !additions.isEmpty }

    /// Adds a member behind the others; returns `false`, and does nothing, if it must be noted as an addition apart.
    mutating func appendShared(_ object: NSManagedObject) -> Bool {
        if isShared { list.append(object) }
        return isShared
    }

    /// The store has the members.
    mutating func forgetAdditions() {
        isShared = false
        additions.removeAll()
    }

    /// Hands over every object that is held.
    mutating func moveAll(into objects: inout [NSManagedObject]) {
        objects += list
        objects += additions
        self = MemberList(areAdditions: false)
    }

    private mutating func separate() {
        if !isShared { return }
        isShared = false
        additions = ObjectList(list)
    }
}
