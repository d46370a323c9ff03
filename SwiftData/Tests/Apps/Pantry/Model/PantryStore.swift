import Foundation
import SwiftData

/// The app's container.
enum PantryStore {
    static func container(at url: URL) throws -> ModelContainer {
        let schema = Schema(versionedSchema: PantrySchemaV2.self)
        let configuration = ModelConfiguration("Pantry", schema: schema, url: url)
        return try ModelContainer(
            for: schema, migrationPlan: PantryMigrationPlan.self, configurations: configuration)
    }

    /// For previews.
    static func preview() throws -> ModelContainer {
        let schema = Schema(PantrySchemaV2.models)
        return try ModelContainer(for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
}
