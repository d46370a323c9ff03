// Comma-separated values: records of fields, some of which are empty and some of which are the empty text.

/// Writes and reads records. A field that is `nil` is written as nothing, the empty text in quotes.
enum CSVText {
    static func line(_ fields: [String?]) -> String {
        fields.map(field).joined(separator: ",") + "\n"
    }

    private static func field(_ text: String?) -> String {
        guard let text else { return "" }
        let isPlain = !text.isEmpty && !text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// The records of a text; `nil` if a quote isn't closed.
    static func records(_ text: String) -> [[String?]]? {
        var records: [[String?]] = []
        var record: [String?] = []
        var field: String.UnicodeScalarView?
        var isQuoted = false
        var scalars = text.unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next {
            next = scalars.next()
            if isQuoted {
                if scalar != "\"" {
                    field?.append(scalar)
                } else if next == "\"" {
                    field?.append(scalar)
                    next = scalars.next()
                } else {
                    isQuoted = false
                }
                continue
            }
            switch scalar {
            case "\"":
                isQuoted = true
                field = field ?? String.UnicodeScalarView()
            case ",":
                record.append(field.map { String($0) })
                field = nil
            case "\n":
                records.append(record + [field.map { String($0) }])
                (record, field) = ([], nil)
            case "\r": break
            default: field = (field ?? String.UnicodeScalarView()) + [scalar]
            }
        }
        if isQuoted { return nil }
        if !record.isEmpty || field != nil { records.append(record + [field.map { String($0) }]) }
        return records
    }
}
