// Reads that a page wants no longer once it asks anew.

package import CoreData
import Synchronization

/// The last question of each page: those before it are given up.
package final class ReadTurns: Sendable {
    /// One question.
    package final class Turn: Sendable {
        private let ending = Atomic(false)

        package var isOver: Bool { ending.load(ordering: .relaxed) }

        fileprivate func end() { ending.store(true, ordering: .relaxed) }

        /// Runs reads that are given up when the page wants something else. Only on the context's queue.
        package func reading<Result>(_ context: NSManagedObjectContext, _ body: () throws -> Result) throws
            -> Result
        {
            do {
                return try context.reading(stoppedWhen: { self.isOver }, body)
            } catch let error as CocoaError where error.code == .userCancelled {
                throw StudioProblem(status: 409, "The page asked for something else meanwhile.")
            }
        }
    }

    /// Pages that one session keeps apart.
    private static let limit = 50
    private let turns = Mutex<[(page: String, turn: Turn)]>([])

    package init() {}

    /// A page's next question, or one more part of the present one.
    package func turn(of page: String?, isNext: Bool) -> Turn {
        guard let page else { return Turn() }
        return turns.withLock { turns in
            if let place = turns.firstIndex(where: { $0.page == page }) {
                if !isNext { return turns[place].turn }
                turns.remove(at: place).turn.end()
            }
            let turn = Turn()
            turns = turns.suffix(Self.limit - 1) + [(page, turn)]
            return turn
        }
    }

    /// A page wants no answer any more.
    package func end(_ page: String) {
        turns.withLock { turns in
            for each in turns where each.page == page { each.turn.end() }
            turns.removeAll { $0.page == page }
        }
    }
}
