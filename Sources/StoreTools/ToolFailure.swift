// The reason why a command failed, in one readable line.

import CoreData

/// A failure that the person at the keyboard can act on.
public struct ToolFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    /// A failure with a text for people.
    public init(_ description: String) {
        self.description = description
    }
}

/// The file or the server's store that an error is about.
private func storePath(of error: NSError) -> String? {
    if let url = error.userInfo[NSURLErrorKey] as? URL, !url.isFileURL { return StoreAddress.name(of: url) }
    return error.userInfo[NSFilePathErrorKey] as? String
}

/// Returns any error as text for people: one line, with the reason, the file and the details that the error
/// carries.
public func readable(_ error: any Error) -> String {
    if let failure = error as? ToolFailure { return failure.description }
    if let failure = error as? ImportFailure { return failure.description }
    let error = error as NSError
    if let details = error.userInfo[NSDetailedErrorsKey] as? [NSError], !details.isEmpty {
        return details.map { readable($0) }.joined(separator: " ")
    }
    var text = error.localizedDescription
    if let reason = error.userInfo[NSLocalizedFailureReasonErrorKey] as? String, !text.contains(reason) {
        text += " " + reason
    }
    let place = [error.userInfo["entity"] as? String, error.userInfo["property"] as? String]
        .compactMap(\.self).joined(separator: ".")
    if !place.isEmpty, !text.contains(place) { text += " [\(place)]" }
    if let path = storePath(of: error), !text.contains(path) { text += " (\(path))" }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
}
