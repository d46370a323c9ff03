// The findings of `doctor` in a store, with their remedies.

import CoreData

/// One finding.
public struct Finding {
    /// The finding, in one line.
    public let title: String
    /// The rows concerned, as text.
    public let rows: [String]
    /// The remedy.
    public let advice: String
    /// Indicates whether values may be lost or not found because of it.
    public let isHarmful: Bool

    init(_ title: String, rows: [String] = [], advice: String, isHarmful: Bool) {
        self.title = title
        self.rows = rows
        self.advice = advice
        self.isHarmful = isHarmful
    }
}

/// Examines a store.
public enum Diagnosis {
    /// Returns all findings about a store.
    ///
    /// - Parameters:
    ///   - path: the store's file.
    ///   - modelPath: the model's file; nil for the model that the store keeps.
    /// - Throws: the errors of opening a store; `ToolFailure` if it has no model.
    public static func findings(path: String, modelPath: String?) throws -> [Finding] {
        let address = try StoreAddress(path)
        let metadata = try address.metadata()
        let model = try ModelSource(path: modelPath ?? path).read(for: metadata)
        var findings: [Finding] = []
        if model.configuration(for: metadata) == nil {
            findings.append(
                Finding(
                    "the store was made with another version of the model",
                    rows: model.differences(from: metadata),
                    advice: "name the version that it was made with (--model), or migrate it", isHarmful: true
                ))
        }
        findings += uncertain(model)
        do {
            let store = try OpenStore(path: path, modelPath: modelPath, ignoringVersions: true)
            defer { try? store.close() }
            findings += try store.coordinator.verify(store.store).map(Finding.init)
            findings += try abandoned(beside: address)
            if !address.isFile {
                for entity in store.entities { _ = try store.count(entity) }
                findings.append(unchecked)
            }
        } catch {
            findings.append(unreadable(error, isFile: address.isFile))
        }
        return findings
    }

    /// A server checks its pages, keys and constraints itself.
    private static var unchecked: Finding {
        Finding(
            "pages, keys and values were not checked: the store is on a server",
            advice: "the server holds foreign keys and unique indexes itself; pg_amcheck looks at its pages",
            isHarmful: false)
    }

    private static func abandoned(beside address: StoreAddress) throws -> [Finding] {
        var names = try address.abandoned()
        if address.isFile {
            // External files are found with the rows.
            names = names.map { URL(fileURLWithPath: $0).lastPathComponent }.filter {
                UUID(uuidString: $0) == nil
            }
        }
        if names.isEmpty { return [] }
        return [
            Finding(
                "killed programs left \(address.isFile ? "files" : "schemas") beside the store", rows: names,
                advice: "coredata doctor STORE --repair removes them", isHarmful: false)
        ]
    }

    private static func unreadable(_ error: any Error, isFile: Bool) -> Finding {
        let isLayout = (error as NSError).code == NSPersistentStoreIncompatibleSchemaError
        return Finding(
            (isLayout ? "the tables are not as the model says: " : "the rows can't be read: ")
                + readable(error),
            advice: isLayout
                ? "name the model that the store was made with (--model)"
                : isFile
                    ? "restore a backup, or copy what is readable with sqlite3's .recover"
                    : "look at the server's log, and at the tables with psql",
            isHarmful: true)
    }

    /// Returns what is wrong in a model that lies in a file of its own.
    ///
    /// - Throws: the errors of reading a model.
    public static func findings(model path: String) throws -> [Finding] {
        let model = try ModelSource(path: path).read()
        let remarks = model.remarks.map { remark in
            let place = [remark.entity, remark.property].compactMap(\.self).joined(separator: ".")
            return Finding(
                (place.isEmpty ? "" : place + ": ") + remark.message, advice: "change the model",
                isHarmful: remark.isError)
        }
        return remarks + (remarks.contains(where: \.isHarmful) ? [] : refusal(of: model)) + uncertain(model)
    }

    /// The reason why no SQLite store can be made of a sound model, tried in memory: two entities whose tables have one name,
    /// an index over what it can't hold.
    private static func refusal(of model: NSManagedObjectModel) -> [Finding] {
        do {
            try NSPersistentStoreCoordinator(managedObjectModel: model)
                .addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
            return []
        } catch {
            return [
                Finding(
                    "no SQLite store can be made of the model: \(readable(error))",
                    advice: "change the model",
                    isHarmful: true)
            ]
        }
    }

    private static func uncertain(_ model: NSManagedObjectModel) -> [Finding] {
        model.uncertainVersionHashes.sorted { $0.key < $1.key }.map {
            Finding(
                "the version hash of \($0.key) is uncertain: \($0.value)",
                advice: "compare with a store or a compiled model that Apple's tools made", isHarmful: false)
        }
    }
}

extension Finding {
    fileprivate init(_ problem: StoreProblem) {
        let count = problem.count > 0 ? " (\(problem.count) \(problem.count == 1 ? "row" : "rows"))" : ""
        var rows = problem.rows
        if problem.count > rows.count { rows.append("…") }
        self.init(
            "\(problem.check): \(problem.explanation)\(count)", rows: rows, advice: Self.advice(problem),
            isHarmful: problem.isHarmful)
    }

    private static func advice(_ problem: StoreProblem) -> String {
        let check = problem.check
        if check == "file" { return "restore a backup, or copy what is readable with sqlite3's .recover" }
        if check == "layout", problem.explanation.contains("no unique index") {
            return
                "make rows with the same values differ or delete them, then make the index or migrate the store"
        }
        if check == "layout" {
            return problem.isHarmful
                ? "name the model that the store was made with (--model), or migrate the store"
                : "nothing needs to be done; it costs speed or space at most"
        }
        if check.hasSuffix("key counter") {
            return "raise Z_MAX in Z_PRIMARYKEY to the number shown before anything is inserted"
        }
        if check.hasSuffix("entity numbers of targets") || check.hasSuffix("targets") {
            return "set the relationship of the rows anew: coredata set STORE ENTITY/NUMBER KEY=…"
        }
        if check.hasSuffix("other sides") {
            return
                "set the relationship of the rows anew, on one side: coredata set STORE ENTITY/NUMBER KEY=…"
        }
        if check.hasSuffix("order") { return "set the relationship anew in the order wanted: coredata set" }
        if check.hasSuffix("external values") {
            return "restore the files from a backup, or set the attribute anew"
        }
        if check == "external files" {
            return "coredata doctor STORE --repair removes them, if nobody uses the store"
        }
        if check.hasSuffix("values of another type") || check.hasSuffix("missing values") {
            return
                "set the attribute or relationship of the rows anew: coredata set STORE ENTITY/NUMBER KEY=…"
        }
        if check.hasSuffix("versions") { return "set Z_OPT of the rows to 1" }
        return "restore these rows from a backup, or delete them"
    }
}
