// Saves, first creation and opening.

import CoreData
import Foundation

/// Saves one generation after the other.
class SaveOperation: Operation {
    let place: Place
    var stack: Stack?
    /// The state that was saved before: the steps go on from here.
    private let before: Int
    private var next: Int
    private var isEdited = false
    private let breaksConstraints: Bool
    /// The ways in which a save may betray its caller, for --self-test: its changes go, or
    /// it can't be tried again.
    private let forgets, givesUp: Bool
    private var hasFailed = false

    init(_ request: Request) {
        place = Place(request)
        before = request.number("before")
        next = before + 1
        (forgets, givesUp) = (request.number("forgets") != 0, request.number("givesUp") != 0)
        breaksConstraints = request.number("constraints") != 0
    }

    func prepare() async throws { try Self.fill(place, generations: before) }

    /// Makes a store of so many generations.
    static func fill(_ place: Place, generations: Int) throws {
        if generations == 0 { return }
        let stack = try Stack(place)
        defer { stack.close() }
        for generation in 1...generations {
            try stack.context.performAndWait {
                try Generation.edit(stack, generation)
                try stack.context.save()
            }
        }
    }

    func begin() async throws { stack = try Stack(place) }

    func step() async throws {
        guard let stack else { throw Request.Problem(text: "no store is open") }
        try stack.context.performAndWait {
            if !isEdited {
                if breaksConstraints, next % 4 == 0 { try Generation.breakConstraint(stack, next) }
                stack.context.rollback()
                try Generation.edit(stack, next)
                isEdited = true
            }
            if givesUp, hasFailed { throw CocoaError(.fileWriteUnknown) }
            do {
                try stack.context.save()
            } catch {
                hasFailed = true
                // A value that was computed from one that couldn't be read is not to be saved: the edit begins anew.
                if stack.context.readError != nil { isEdited = false }
                if forgets { stack.context.rollback() }
                throw error
            }
            isEdited = false
            next += 1
        }
    }

    var isPending: Bool? {
        isEdited ? stack.map { stack in stack.context.performAndWait { stack.context.hasChanges } } : nil
    }

    func end() { stack?.close() }
}

/// Makes a store by its first save.
final class CreateOperation: SaveOperation {
    override func prepare() async throws {}
    override func begin() async throws {}

    override func step() async throws {
        if stack == nil { stack = try Stack(place) }
        try await super.step()
    }
}

/// Opens a store, reads all of it and closes it.
final class OpenOperation: Operation {
    private let request: Request

    init(_ request: Request) { self.request = request }

    func prepare() async throws {
        try SaveOperation.fill(Place(request), generations: request.number("before"))
    }

    func step() async throws {
        let stack = try Stack(Place(request))
        defer { stack.close() }
        let state = try Judge.state(of: stack)
        if (state["counter"] as? [Int]) != [request.number("before")] {
            throw Request.Problem(text: "wrong values: \(state)")
        }
    }
}
