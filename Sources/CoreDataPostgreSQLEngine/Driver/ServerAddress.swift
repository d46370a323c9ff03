// The address of a database with the way to log in, as libpq understands both. Passwords stay inside.

import CPostgreSQL
package import Foundation

/// The parameters of a connection. Neither descriptions nor the URL show a password.
package struct ServerAddress: Sendable, Hashable {
    private struct Parameter: Sendable, Hashable {
        let keyword: String
        let value: String
        let isSecret: Bool
    }

    /// By keyword.
    private var parameters: [Parameter] {
        didSet { parameters.sort { $0.keyword < $1.keyword } }
    }

    /// Reads a connection URI or a list of keywords and values, in libpq's forms.
    package init(parsing text: String) throws {
        guard let found = PQconninfoParse(text, nil) else {
            // libpq's message quotes the text, and with it perhaps a password.
            let unknown = Self.unknownKeyword(in: text).map { "libpq knows no parameter \"\($0)\"." }
            throw ServerFailure(
                .address,
                message: unknown
                    ?? "The address is neither a connection URI nor a list of keywords and values.")
        }
        defer { PQconninfoFree(found) }
        parameters = Self.options(found).compactMap { keyword, option in
            guard let value = option.val else { return nil }
            // libpq marks by an asterisk what is to be hidden.
            let isSecret = option.dispchar.map { String(cString: $0) == "*" } ?? false
            return Parameter(keyword: keyword, value: String(cString: value), isSecret: isSecret)
        }
        .sorted { $0.keyword < $1.keyword }
    }

    /// The options of one of libpq's lists, which ends with one that has no keyword.
    private static func options(
        _ list: UnsafeMutablePointer<PQconninfoOption>
    ) -> [(keyword: String, option: PQconninfoOption)] {
        sequence(first: list) { $0 + 1 }.lazy.map(\.pointee)
            .prefix { $0.keyword != nil }
            .map { (String(cString: $0.keyword), $0) }
    }

    /// The first parameter of a URI's query that libpq doesn't know; `nil` where the query may be part of a password.
    private static func unknownKeyword(in text: String) -> String? {
        guard let mark = text.firstIndex(of: "?"), !text[mark...].contains("@") else { return nil }
        guard let defaults = PQconndefaults() else { return nil }
        defer { PQconninfoFree(defaults) }
        let known = Set(options(defaults).map(\.keyword)).union(["ssl"])
        let keywords = text[mark...].dropFirst().split(separator: "&").compactMap { part in
            part.firstIndex(of: "=").map { String(part[..<$0]) }
        }
        return keywords.first { !known.contains($0) && $0.allSatisfy { $0.isLetter || $0 == "_" } }
    }

    package subscript(keyword: String) -> String? {
        parameters.first { $0.keyword == keyword }?.value
    }

    /// Indicates whether a password is among the parameters.
    package var hasSecrets: Bool { parameters.contains(where: \.isSecret) }

    package var withoutSecrets: ServerAddress {
        var address = self
        address.parameters.removeAll(where: \.isSecret)
        return address
    }

    /// The address with another one's passwords.
    package func withSecrets(of other: ServerAddress) -> ServerAddress {
        var address = withoutSecrets
        address.parameters += other.parameters.filter(\.isSecret)
        return address
    }

    /// The same database and user at one of the hosts.
    func at(host: String, port: String) -> ServerAddress {
        var address = self
        address.parameters.removeAll {
            ["host", "hostaddr", "port", "target_session_attrs", "load_balance_hosts"].contains($0.keyword)
        }
        for (keyword, value) in [("host", host), ("port", port)] where !value.isEmpty {
            address.parameters.append(Parameter(keyword: keyword, value: value, isSecret: false))
        }
        return address
    }

    /// All parameters for libpq, and those of `defaults` that aren't stated.
    func connectionParameters(_ defaults: [(keyword: String, value: String)]) -> [(
        keyword: String, value: String
    )] {
        parameters.map { ($0.keyword, $0.value) } + defaults.filter { self[$0.keyword] == nil }
    }
}

// MARK: The schema

extension ServerAddress {
    private static let setting = "search_path="

    /// The schema of a store's tables: the first one that `options` names as `search_path`, else `public`.
    package var schema: String {
        let path = optionWords.last { $0.contains(Self.setting) }.flatMap { word in
            word.range(of: Self.setting).map { word[$0.upperBound...] }
        }
        guard let path, let first = path.first else { return "public" }
        if first != "\"" { return path.prefix { $0 != "," }.lowercased() }
        // A quote in a name is doubled.
        let parts = path.dropFirst().replacing("\"\"", with: "\0").prefix { $0 != "\"" }
        return String(parts).replacing("\0", with: "\"")
    }

    /// The same database with another schema. The server looks for tables there and nowhere else.
    package func with(schema: String) -> ServerAddress {
        var words = optionWords
        while let place = words.lastIndex(where: { $0.contains(Self.setting) }) {
            words.remove(at: place)
            if place > 0, words[place - 1] == "-c" { words.remove(at: place - 1) }
        }
        words.append("-c\(Self.setting)\"\(schema.replacing("\"", with: "\"\""))\"")
        // A backslash stands before a space that belongs to a word.
        let options = words.map { $0.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ") }
        var address = self
        address.parameters.removeAll { $0.keyword == "options" }
        address.parameters.append(
            Parameter(keyword: "options", value: options.joined(separator: " "), isSecret: false))
        return address
    }

    /// The words of the server's command line.
    private var optionWords: [String] {
        var words: [String] = []
        var (word, isEscaped) = ("", false)
        for character in (self["options"] ?? "") + " " {
            if isEscaped || character != " " && character != "\\" {
                word.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        return words
    }
}

// MARK: Text

extension ServerAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A connection URI for the same database, without passwords.
    package var url: URL {
        var components = URLComponents()
        components.scheme = "postgresql"
        components.host = ""
        components.path = "/"
        var items: [URLQueryItem] = []
        for parameter in parameters where !parameter.isSecret {
            items.append(URLQueryItem(name: parameter.keyword, value: parameter.value))
        }
        if let database = self["dbname"], !database.isEmpty {
            components.path = "/" + database
            items.removeAll { $0.name == "dbname" }
        }
        if let host = self["host"], Self.isPlain(host) {
            components.host = host
            components.port = self["port"].flatMap { Int($0) }
            components.user = self["user"]
            items.removeAll {
                ["host", "user"].contains($0.name) || $0.name == "port" && components.port != nil
            }
        }
        components.queryItems = items.isEmpty ? nil : items
        // libpq reads a plus sign as such, and takes it for no space.
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// One host by name, which can stand in a URL's own place for it.
    private static func isPlain(_ host: String) -> Bool {
        !host.isEmpty
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
    }

    package var description: String { url.absoluteString }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
