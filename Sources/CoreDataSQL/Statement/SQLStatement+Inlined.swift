// Statements for people to read.

extension SQLStatement {
    /// The text for PostgreSQL with values in the places of their numbers (`$1`). Texts and names in quotes stay as they are.
    package var inlined: String {
        if bindings.isEmpty { return text }
        var result = ""
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            if quote == nil, character == "$", let number = Int(rest.prefix { $0.isASCII && $0.isNumber }),
                bindings.indices.contains(number - 1)
            {
                rest = rest.drop { $0.isASCII && $0.isNumber }
                result += PostgreSQLDialect.text(bindings[number - 1]).map(sqlText) ?? "NULL"
                continue
            }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            }
            result.append(character)
        }
        return result
    }
}
