// Reads that a page wants no longer once it asks anew.

package import CoreData
import Synchronization

/// The last question of each page: those before it are given up.
package final class ReadTurns: Sendable {
    /// The question of a page that a read belongs to. Requests can arrive in another order than they were sent in.
    package struct Question: Codable, Sendable {
        /// Names the browser's page.
        package var page: String
        /// Grows with each question of the page.
        package var number: Int

        package init(page: String, number: Int) {
            self.page = page
            self.number = number
        }
    }

    /// The reads of one question.
    package final class Turn: Sendable {
        private let ending: Atomic<Bool>

        fileprivate init(isOver: Bool = false) { ending = Atomic(isOver) }

        package var isOver: Bool { ending.load(ordering: .relaxed) }

        fileprivate func end() { ending.store(true, ordering: .relaxed) }

        /// Runs reads that are given up when the page wants something else. Only on the context's queue.
        package func reading<Result>(_ context: NSManagedObjectContext, body: () throws -> Result) throws
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
    private let turns = Mutex<[(question: Question, turn: Turn)]>([])

    package init() {}

    /// Returns the turn of a question, which ends those before it, whatever order they arrive in.
    package func turn(of question: Question?) -> Turn {
        guard let question else { return Turn() }
        return turns.withLock { turns in
            if let place = turns.firstIndex(where: { $0.question.page == question.page }) {
                let (last, turn) = turns[place]
                if last.number == question.number { return turn }
                if last.number > question.number { return Turn(isOver: true) }
                turns.remove(at: place).turn.end()
            }
            let turn = Turn()
            turns = turns.suffix(Self.limit - 1) + [(question, turn)]
            return turn
        }
    }

    /// Ends a question whose answer the page wants no more, and those before it.
    package func end(_ question: Question) {
        let turn = turn(of: question)
        turn.end()
    }
}
