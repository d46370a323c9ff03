// A folder with a CSV file for each entity, as an export writes it.

public import CoreData

/// Reads the CSV files of a folder one after the other; each has the name of its objects' entity.
public final class CSVFolder: ImportReader {
    private var files: ArraySlice<URL>
    private let separator: Character
    private var reader: CSVReader?

    public var columns: [String]? { nil }

    /// Opens a folder with a file for each entity.
    ///
    /// - Parameters:
    ///   - url: the folder.
    ///   - separator: the character between two cells.
    /// - Throws: `ToolFailure` for a folder without such files; the system's error if it can't be read.
    public init(_ url: URL, separator: Character = ",") throws {
        let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension.lowercased() == "csv" }.sorted { $0.path < $1.path }
        if files.isEmpty { throw ToolFailure("There are no CSV files in \(url.path).") }
        self.files = files[...]
        self.separator = separator
    }

    public func next() throws -> ImportRecord? {
        while true {
            if let record = try reader?.next() { return record }
            guard let file = files.popFirst() else { return nil }
            reader = try CSVReader(
                file, separator: separator, entity: file.deletingPathExtension().lastPathComponent)
        }
    }
}
