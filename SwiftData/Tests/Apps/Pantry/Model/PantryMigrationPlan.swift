import Foundation
import SwiftData

enum PantryMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [PantrySchemaV1.self, PantrySchemaV2.self]
    }

    static var stages: [MigrationStage] {
        [migrateV1toV2]
    }

    /// Titles are unique from the second release on: the newest recipe of a title keeps it, the others are numbered.
    static var migrateV1toV2: MigrationStage {
        .custom(
            fromVersion: PantrySchemaV1.self,
            toVersion: PantrySchemaV2.self,
            willMigrate: { context in
                let newestFirst = FetchDescriptor<PantrySchemaV1.Recipe>(sortBy: [
                    SortDescriptor(\.createdAt, order: .reverse)
                ])
                var seen: [String: Int] = [:]
                for recipe in try context.fetch(newestFirst) {
                    seen[recipe.title, default: 0] += 1
                    if let number = seen[recipe.title], number > 1 {
                        recipe.title += " (\(number))"
                    }
                }
                try context.save()
            },
            didMigrate: { context in
                for recipe in try context.fetch(FetchDescriptor<PantrySchemaV2.Recipe>()) {
                    recipe.difficulty = recipe.minutes > 60 ? .demanding : .simple
                }
                try context.save()
            })
    }
}
