// A store that has none of the abilities that a store may have.

package import CoreDataSQL
package import CoreDataSchema
package import Foundation

extension RowStore {
    package static var files: (any StoreFiles.Type)? { nil }
    package static func recognizes(_ start: Data) -> Bool { false }
    package static func checkPlace(_ url: URL?) throws {}
    package static func place(of url: URL) -> StorePlace? { nil }
    package static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {}
    package static func replacement(
        at url: URL, options: [AnyHashable: Any]?, isReplaced: Bool
    ) throws -> (any StoreReplacement)? { nil }
    package func hasMoved() { hasChangedMetadata = true }
    package func reopen() throws { hasMoved() }
    package func move(_ publish: () throws -> Void) throws { try publish() }
    package func nameOfState() -> String? { nil }

    package var readsOnAnyThread: Bool { false }
    package func takeReader() throws -> (any StoreReader)? { nil }
    package func endReads() {}
    package var keepsSnapshots: Bool { false }
    package func makeSnapshot() throws -> (any ReadSnapshot)? { nil }
    package func releaseUnusedSnapshots() {}

    package func takeReplica(accepting lag: Double) throws -> (any StoreReader)? { try takeReader() }
    package func makeFetchIndexes() throws {}
    package func takeDerivedRows() -> DerivedRows { DerivedRows() }
    package var savesBefore: Int { 3 }
    package var writesChangesOnly: Bool { false }
    package var keepsObjects: Bool { false }
    package var learnsKeys: Bool { false }
    package var history: (any StoreHistory)? { nil }

    package static var migration: StoreMigration { .none }
    package func keptModel() throws -> ModelSchema? { nil }
    package func joinOwners() throws -> [PropertyAddress] { [] }

    package func migrate(_ migration: MigrationInPlace) throws { throw notInPlace() }
    package func plannedSteps(of migration: MigrationInPlace) throws -> [PlannedStep] { throw notInPlace() }

    private func notInPlace() -> NSError {
        MigrationFailure.inPlace(
            CoreDataError.make(
                ErrorCode.migration, description: MigrationFailure.sentence, file: nil,
                reason: "Stores of type \(Self.type) aren't migrated in place."), file: nil)
    }

    package func interrupt() {}

    package func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result { try body() }

    package var inspection: (any StoreInspection)? { nil }
}
