// The members of one object's to-many relationship: unread until asked for, with what was added and removed since.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Holds the objects on the many side. While unread it still takes additions and removals, so that keeping an
/// inverse in step never reads the other side's members.
final class ToMany {
    /// The object that has the relationship, and holds this. Sound because whoever gets at this goes through the object, and
    /// what clients hold of it (sets that change) holds the object itself, which ObjectLifetimeTests watch.
    private let ownerReference: Unmanaged<NSManagedObject>
    var owner: NSManagedObject { ownerReference._withUnsafeGuaranteedRef { $0 } }
    let relation: RelationRuntime
    // Looked at for each member that is added: unchecked. Sound because only the context's queue uses the object, which
    // `checkQueue` watches in contexts that check (ConcurrencyDebugTests), and because no code of a client's runs while one of
    // these is changed, which ToManyTests and the random runs of graphs watch.
    @exclusivity(unchecked)
    var isLoaded: Bool
    /// Indicates that the members couldn't be read: then those that were added here are all that show.
    private(set) var isUnreadable = false
    @exclusivity(unchecked)
    private var list: MemberList
    var members: [NSManagedObject] {
        get { list.members }
        _modify { yield &list.members }
    }
    /// Position of each member, kept once a look-up was needed; before as many removals as `shift` says, each of
    /// which moved those behind it one place forward.
    @exclusivity(unchecked)
    private var positions: [ObjectIdentifier: Int]?
    @exclusivity(unchecked)
    private var shift = 0
    /// Since the last save, in the order of the calls.
    var added: ObjectList {
        get { list.added }
        _modify { yield &list.added }
    }
    @exclusivity(unchecked)
    var removed = ObjectList()
    /// The order in the store, for ordered relationships that were read.
    var committedOrder: [ObjectIdentifier] = []
    /// The members when the current event first changed them, if they were read.
    private(set) var membersBeforeEvent: [NSManagedObject]?
    @exclusivity(unchecked)
    private(set) var isChangedInEvent = false
    /// The additions and removals of the current event so far, if its undoing needs them.
    @exclusivity(unchecked)
    private(set) var eventLog: ToManyLog?
    /// The mutable ordered set that a client holds.
    @exclusivity(unchecked)
    weak var mirror: MutableRelationshipOrderedSet?
    /// The native set that typed getters return, until the next change, and the class that its members are of.
    @exclusivity(unchecked)
    private var nativeSet: Set<NSManagedObject>?
    private var nativeClass: NSManagedObject.Type?
    /// Another one after each change of the members.
    @exclusivity(unchecked)
    private(set) var generation = 0
    /// The set that `primitiveValue(forKey:)` returns and hand-written accessors change, until the next change by others.
    @exclusivity(unchecked)
    var primitiveSet: NSObject?

    init(owner: NSManagedObject, _ relation: RelationRuntime) {
        ownerReference = .passUnretained(owner)
        self.relation = relation
        // An object that was never saved has no rows to read.
        isLoaded = !owner.isKnownBelow
        list = MemberList(areAdditions: isLoaded)
    }

    /// The relationship of an object that has no row any more: all members are yet to be saved.
    init(owner: NSManagedObject, _ relation: RelationRuntime, unsaved objects: [NSManagedObject]) {
        ownerReference = .passUnretained(owner)
        self.relation = relation
        isLoaded = true
        list = MemberList(added: objects)
    }

    // MARK: Reading

    var objects: [NSManagedObject] {
        load()
        return members
    }

    /// Makes sure that the members were read.
    func read() { load() }

    var count: Int {
        load()
        return members.count
    }

    func contains(_ object: NSManagedObject) -> Bool {
        load()
        return position(of: object) != nil
    }

    func index(of object: NSManagedObject) -> Int? {
        load()
        return position(of: object)
    }

    /// The members as a native set, made once until the next change.
    func native<Object: NSManagedObject>(_ type: Object.Type = Object.self) -> Set<Object> {
        load()
        if nativeSet == nil || nativeClass != Object.self {
            let typed = members.areAll(Object.self) ? members : members.filter { $0 is Object }
            // As a store mostly gives them. A damaged file may give a row twice.
            nativeSet = typed.haveRisingKeys ? Set(distinct: typed) : Set(typed)
            nativeClass = Object.self
        }
        // Every member's class was looked at, and sets of references are laid out alike: made as a set of `Object`,
        // it would be filled through calls that know nothing of the type.
        return unsafeBitCast(nativeSet ?? [], to: Set<Object>.self)
    }

    func endEvent() {
        isChangedInEvent = false
        membersBeforeEvent = nil
        eventLog = nil
    }

    /// Takes note that the event changes the members.
    func noteEvent() {
        if isChangedInEvent { return }
        isChangedInEvent = true
        if uncounted(ownerReference, { $0.withContext { $0.undoRecorder != nil } }) == true {
            if !relation.isOrdered { return eventLog = ToManyLog() }
            // Only the whole order says where a member belongs.
            load()
        }
        if isLoaded { membersBeforeEvent = members }
    }

    /// Takes note, for undo, of a change that the members show already: before the event they have been without it.
    func noteStatement(of object: NSManagedObject, isMember: Bool) {
        eventLog?.note(object, isAdded: isMember)
        guard relation.isOrdered else { return }
        if isMember {
            membersBeforeEvent?.removeAll { $0 === object }
        } else {
            membersBeforeEvent?.append(object)
        }
    }

    /// Takes what is there for the store's.
    func forgetChanges() {
        list.forgetAdditions()
        removed.removeAll()
    }

    /// Indicates whether members or their order differ from the store's.
    var isChanged: Bool { list.hasAdditions || !removed.isEmpty || isReordered }

    var isReordered: Bool {
        relation.isOrdered && isLoaded && !isUnreadable
            && members.map(ObjectIdentifier.init) != committedOrder
    }

    private func load() {
        if isLoaded { return }
        guard let context = owner.registry.context else {
            raise(
                .objectInaccessible,
                "the context of \(owner.objectID) is gone, so \"\(relation.name)\" can't be read")
        }
        read(in: context)
    }

    private func read(in context: NSManagedObjectContext) {
        if let stored = context.related(to: owner, relation) { return take(stored) }
        isLoaded = true
        isUnreadable = true
        committedOrder = []
        members = Array(added)
        changed()
    }

    /// Takes the members that the store has; additions and removals made before stay.
    func take(_ stored: [NSManagedObject]) {
        guard !isLoaded else { return }
        isLoaded = true
        isUnreadable = false
        committedOrder = relation.isOrdered ? stored.map(ObjectIdentifier.init) : []
        if added.isEmpty && removed.isEmpty {
            members = stored
            return
        }
        let gone = Set(removed.map(ObjectIdentifier.init))
        let present = Set(stored.map(ObjectIdentifier.init))
        forgetStated(added.filter { present.contains(ObjectIdentifier($0)) }, isAddition: true)
        forgetStated(removed.filter { !present.contains(ObjectIdentifier($0)) }, isAddition: false)
        members =
            stored.filter { !gone.contains(ObjectIdentifier($0)) }
            + added.filter { !present.contains(ObjectIdentifier($0)) }
        positions = nil
    }

    private func position(of object: NSManagedObject) -> Int? {
        if members.count < 9 { return members.firstIndex { $0 === object } }
        if positions == nil {
            positions = Dictionary(
                members.enumerated().map { (ObjectIdentifier($1), $0) },
                uniquingKeysWith: { first, _ in first })
            shift = 0
        }
        guard let place = positions?[ObjectIdentifier(object)] else { return nil }
        return (max(0, place - shift)...place).first { $0 < members.count && members[$0] === object }
    }

    /// Removes a member of an ordered relationship. Positions of those behind it are found again from where they
    /// were, as long as that is near.
    private func removeInOrder(at index: Int) {
        let object = members.remove(at: index)
        positions?[ObjectIdentifier(object)] = nil
        if index == members.count && shift == 0 { return }
        shift += 1
        if shift > 64 + members.count / 16 { positions = nil }
    }

    // MARK: Changing, with the inverse

    func add(_ object: NSManagedObject, at index: Int? = nil) {
        owner.check(object, relation: relation)
        guard !contains(object) else { return }
        owner.asOneChange {
            let place = relation.isOrdered ? index ?? members.count : nil
            owner.observersWill(relation.name, mutation: .insertion([object], at: place))
            insert(object, at: index)
            owner.prepareToChange()
            owner.noteChange()
            connect(object)
            owner.observersDid(relation.name)
        }
    }

    func remove(_ object: NSManagedObject) {
        guard contains(object) else { return }
        owner.asOneChange {
            removeQuietly(object)
            owner.prepareToChange()
            owner.noteChange()
            disconnect(object)
        }
    }

    private func connect(_ object: NSManagedObject) {
        guard let inverse = relation.inverse else { return object.noteChange() }
        if !inverse.isToMany, let slot = object.runtime.layout.slot(named: inverse.name) {
            let mine = object.relations(inverse)
            if let previous = object.toOne(slot, relation: mine), previous !== owner {
                previous.toMany(previous.relations(relation)).removeQuietly(object)
                previous.noteChange()
            }
            object.observersWill(inverse.name)
            object.storeToOne(owner, slot: slot, relation: mine)
            object.observersDid(inverse.name)
        } else if inverse.isToMany, !(inverse === relation && object === owner) {
            object.toMany(object.relations(inverse)).follow(owner, isMember: true)
        }
        object.noteChange()
    }

    private func disconnect(_ object: NSManagedObject) {
        // A member of itself by a relationship that is its own inverse has been removed.
        guard let inverse = relation.inverse, !(inverse === relation && object === owner) else { return }
        object.detachInverse(inverse, from: owner)
    }

    // MARK: Changing this side only

    /// Adds an object whose other side is already set. Doesn't read the members. Returns `false` if it is known as one.
    @discardableResult
    func addQuietly(_ object: NSManagedObject) -> Bool {
        noteEvent()
        if object.isDeletedForGood { owner.noteLost() }
        // A new object that pointed elsewhere before can't be a member; the row of another may be older than the members.
        let leadsToMany = relation.inverseReference.map { uncounted($0) { $0.isToMany } } ?? true
        let mayBeMember = leadsToMany || !object.state.isNew
        if isLoaded, mayBeMember, position(of: object) != nil { return false }
        uncounted(ownerReference) {
            $0.observersWill(relation.name, mutation: .insertion([object], at: placeForAddition))
        }
        defer { uncounted(ownerReference) { $0.observersDid(relation.name) } }
        if isLoaded {
            insert(object, at: nil)
        } else if removed.remove(object) {
            eventLog?.note(object, isAdded: true)
        } else if !mayBeMember || !added.contains(object) {
            added.append(object)
            eventLog?.note(object, isAdded: true)
        }
        return true
    }

    /// The index at which an object is added to an ordered relationship.
    private var placeForAddition: Int? { relation.isOrdered && isLoaded ? members.count : nil }

    /// Removes an object whose other side is already cleared. Returns `false` if it is known not to be a member.
    @discardableResult
    func removeQuietly(_ object: NSManagedObject) -> Bool {
        // A new object is in no row's members; noted as removed, it would only be taken back when it is added.
        if !isLoaded, object.state.isNew, !added.contains(object) { return false }
        noteEvent()
        let place = isLoaded ? position(of: object) : nil
        if isLoaded, place == nil { return false }
        owner.observersWill(relation.name, mutation: .removal([object], at: relation.isOrdered ? place : nil))
        defer { owner.observersDid(relation.name) }
        if let index = place {
            if relation.isOrdered {
                removeInOrder(at: index)
            } else {
                let last = members.removeLast()
                if last !== object { members[index] = last }
                positions?[ObjectIdentifier(last)] = index
                positions?[ObjectIdentifier(object)] = nil
            }
            mirror?.follow(members)
        }
        forgetSets()
        eventLog?.note(object, isAdded: false)
        if added.remove(object) { return true }
        if isLoaded || !removed.contains(object) {
            removed.append(object)
        }
        return true
    }

    private func insert(_ object: NSManagedObject, at index: Int?) {
        noteEvent()
        if object.isDeletedForGood { owner.noteLost() }
        var isNoted = false
        if let index, index < members.count {
            members.insert(object, at: index)
            positions = nil
        } else {
            positions?[ObjectIdentifier(object)] = members.count + shift
            // An object whose removal is to be saved isn't an addition when it comes back.
            isNoted = removed.isEmpty && list.appendShared(object)
            if !isNoted { members.append(object) }
        }
        forgetSets()
        mirror?.follow(members)
        eventLog?.note(object, isAdded: true)
        if !isNoted, !removed.remove(object) { added.append(object) }
    }

    func changed() {
        positions = nil
        forgetSets()
        mirror?.follow(members)
    }

    private func forgetSets() {
        generation &+= 1
        nativeSet = nil
        primitiveSet = nil
    }

    /// Hands over every object that is held, when the owner dies.
    func moveMembers(into objects: inout [NSManagedObject]) {
        list.moveAll(into: &objects)
        objects += removed
        removed = ObjectList()
        forgetSets()
        endEvent()
    }

    /// Forgets what the store had, so that it is read again; additions and removals stay.
    func unload() {
        guard isLoaded, !isReordered, owner.isKnownBelow else { return }
        isLoaded = false
        isUnreadable = false
        members = []
        positions = nil
        forgetSets()
        // A set that a client holds follows at once: what it still showed would count as added by the client.
        if let mirror {
            load()
            mirror.follow(members)
        }
    }
}
