// Two releases of models that an app keeps in two stores.

import SwiftData

enum PantriesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Dish.self, Step.self, Tasting.self] }

    @Model
    final class Dish {
        @Attribute(.unique) var title: String
        @Relationship(deleteRule: .cascade, inverse: \Step.dish) var steps: [Step] = []

        init(title: String) { self.title = title }
    }

    @Model
    final class Step {
        var text: String
        var dish: Dish?

        init(text: String) { self.text = text }
    }

    @Model
    final class Tasting {
        var text: String

        init(text: String) { self.text = text }
    }
}

enum PantriesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Dish.self, Step.self, Tasting.self] }

    @Model
    final class Dish {
        @Attribute(.unique) var title: String
        var stepCount = 0
        @Relationship(deleteRule: .cascade, inverse: \Step.dish) var steps: [Step] = []

        init(title: String) { self.title = title }
    }

    @Model
    final class Step {
        var text: String
        var dish: Dish?

        init(text: String) { self.text = text }
    }

    @Model
    final class Tasting {
        @Attribute(originalName: "text") var body: String
        var length = 0

        init(body: String) { self.body = body }
    }
}

enum PantriesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PantriesV1.self, PantriesV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: PantriesV1.self, toVersion: PantriesV2.self, willMigrate: nil,
                didMigrate: { context in
                    for dish in try context.fetch(FetchDescriptor<PantriesV2.Dish>()) {
                        dish.stepCount += dish.steps.count
                    }
                    for tasting in try context.fetch(FetchDescriptor<PantriesV2.Tasting>()) {
                        tasting.length += tasting.body.count
                    }
                    try context.save()
                })
        ]
    }
}
