// Source models that are begun: empty, or from classes that exist.

import CoreDataFiles
import CoreDataSchema
public import Foundation

/// A source model that isn't written yet.
public struct ModelDraft {
    /// Remarks on guesses and on what was left out, by the files that the draft was made from.
    public let warnings: [GenerationProblem]
    private let schema: ModelSchema

    /// A model without entities.
    public init() {
        (schema, warnings) = (ModelSchema(), [])
    }

    /// A model with an entity for each managed object class that Swift sources declare, by its `@NSManaged`
    /// properties: optional where they are, numbers always; two relationships between two classes, one each way, are
    /// each other's inverses.
    ///
    /// - Throws: `GenerationFailure` if a file can't be read or parsed, or declares no such class.
    public init(classesIn files: [URL]) throws(GenerationFailure) {
        let path = files.first?.path ?? ""
        do {
            let draft = ManagedClassModel(try SourceScan(files: files, moduleName: "Model"))
            if draft.model.entities.isEmpty {
                throw GenerationProblem(
                    .error, file: path, message: "no subclass of NSManagedObject is declared")
            }
            schema = draft.model
            warnings = draft.remarks.map { GenerationProblem($0, file: path) }
        } catch let problem as ScanProblem {
            throw GenerationFailure([GenerationProblem(.error, file: problem.path, message: problem.reason)])
        } catch {
            throw GenerationFailure([GenerationProblem(error, file: URL(fileURLWithPath: path))])
        }
    }

    /// Writes an `.xcdatamodeld` with one version of its own name, or an `.xcdatamodel`, laid out for diagrams.
    ///
    /// - Throws: `GenerationFailure` if something is at the URL, or nothing can be written there.
    public func write(to url: URL) throws(GenerationFailure) {
        do {
            if FileManager.default.fileExists(atPath: url.path) {
                throw GenerationProblem(
                    .error, file: url.path, message: "there is something at this path already")
            }
            guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else {
                throw GenerationProblem(
                    .error, file: url.path, message: "a new model is an .xcdatamodeld or .xcdatamodel")
            }
            try ModelFile.write(schema, to: url)
        } catch {
            throw GenerationFailure([GenerationProblem(error, file: url)])
        }
    }
}
