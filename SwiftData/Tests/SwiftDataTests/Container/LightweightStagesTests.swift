// Several lightweight stages, one after the other.

import Foundation
import SwiftData
import Testing

enum DiaryV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Page.self] }

    @Model
    final class Page {
        var name: String
        init(name: String) { self.name = name }
    }
}

enum DiaryV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Page.self] }

    @Model
    final class Page {
        @Attribute(originalName: "name") var title: String
        init(title: String) { self.title = title }
    }
}

enum DiaryV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Page.self] }

    @Model
    final class Page {
        var title: String
        var stars = 3
        init(title: String) { self.title = title }
    }
}

enum DiaryPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [DiaryV1.self, DiaryV2.self, DiaryV3.self] }
    static let stages: [MigrationStage] = [
        .lightweight(fromVersion: DiaryV1.self, toVersion: DiaryV2.self),
        .lightweight(fromVersion: DiaryV2.self, toVersion: DiaryV3.self),
    ]
}

@Suite struct LightweightStagesTests {
    /// The last version says nothing of the name that the first one has.
    @Test func namesOfAVersionBetweenCount() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("Diary.store"))
        do {
            let context = ModelContext(
                try ModelContainer(
                    for: Schema(versionedSchema: DiaryV1.self), configurations: configuration))
            context.insert(DiaryV1.Page(name: "Monday"))
            try context.save()
        }
        let container = try ModelContainer(
            for: Schema(versionedSchema: DiaryV3.self), migrationPlan: DiaryPlan.self,
            configurations: configuration)
        let pages = try ModelContext(container).fetch(FetchDescriptor<DiaryV3.Page>())
        #expect(pages.map(\.title) == ["Monday"] && pages.map(\.stars) == [3])
    }
}
