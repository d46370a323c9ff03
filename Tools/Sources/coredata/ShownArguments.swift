// The passwords of addresses on the command line, which other users of the machine could see with `ps`.

import Foundation

/// The arguments as the system shows them to others.
enum ShownArguments {
    /// Writes asterisks over the passwords that `ps` and `/proc` show. Between the start of the process and this call they
    /// can be seen.
    static func hidePasswords() {
        // Swift's own copy comes first.
        let arguments = CommandLine.arguments
        guard arguments.contains(where: { $0.contains("://") }), let shown = memory() else { return }
        var start = shown.startIndex
        while start < shown.endIndex {
            let end = shown[start...].firstIndex(of: 0) ?? shown.endIndex
            let argument = Array(shown[start..<end])
            for place in passwords(in: argument) { shown[start + place] = UInt8(ascii: "*") }
            start = end + 1
        }
    }

    /// The place of the arguments in this process, which the system says in the fields 48 and 49 of `stat`.
    private static func memory() -> UnsafeMutableBufferPointer<UInt8>? {
        guard let data = FileManager.default.contents(atPath: "/proc/self/stat") else { return nil }
        // The program's name, in parentheses, may have spaces.
        let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
        guard let fields, fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]),
            start < end
        else { return nil }
        return UnsafeMutableBufferPointer(
            start: UnsafeMutablePointer(bitPattern: start), count: Int(end - start))
    }

    /// The positions of a password's bytes in an address: behind the user's name, and in parameters.
    static func passwords(in argument: [UInt8]) -> [Int] {
        let text = argument.map { Character(Unicode.Scalar($0)) }
        guard let scheme = text.indices.first(where: { text[$0...].starts(with: "://") }) else { return [] }
        let begin = scheme + 3
        var places: [Int] = []
        let end = text[begin...].firstIndex { "@/".contains($0) }
        if let end, text[end] == "@", let colon = text[begin..<end].firstIndex(of: ":") {
            places += Array(colon + 1..<end)
        }
        guard let mark = text[begin...].firstIndex(of: "?") else { return places }
        for parameter in text[(mark + 1)...].split(separator: "&") {
            guard let equals = parameter.firstIndex(of: "=") else { continue }
            let name = String(parameter[..<equals]).lowercased()
            if name.contains("password") || name.contains("secret") {
                places += Array(equals + 1..<parameter.endIndex)
            }
        }
        return places
    }
}
