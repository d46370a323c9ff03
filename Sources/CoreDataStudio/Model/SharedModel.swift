// The model that a studio shows.

package import CoreData

/// The one document of a studio, opened at first use and shared by all sessions.
package final class SharedModel: Sendable {
    package let document: ModelDocument

    package init(_ studio: StudioContext) throws {
        if let file = studio.modelFile {
            let kept = studio.options.draftsFolder.map { KeptEditsFolder($0) }
            document = try ModelDocument(
                contentsOf: file, isReadOnly: studio.isReadOnly, keepingEditsIn: kept)
            guard !document.draft.versions.isEmpty else {
                throw StudioProblem(
                    status: 404, "\(file.lastPathComponent) has no versions: there is no .xcdatamodel in it.")
            }
        } else if let model = studio.model {
            document = try ModelDocument(
                model.schema, name: "Model",
                obstacle:
                    "This is the model that the store is open with. Start the studio with an .xcdatamodeld to edit."
            )
        } else {
            throw StudioProblem(
                status: 404,
                "There is no model: start the studio with an .xcdatamodeld, .xcdatamodel or .momd.")
        }
    }

    /// A store of the studio's, for counting what a migration would do.
    package static func store(of studio: StudioContext) -> URL? {
        studio.coordinator?.persistentStores.first { $0.type == NSSQLiteStoreType }?.url
    }
}
