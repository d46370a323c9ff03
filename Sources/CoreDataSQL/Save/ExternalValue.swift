// Values of attributes that allow external storage: in the cell, or in a file of its own beside the store.

package import Foundation

/// The content of such a cell.
package enum ExternalValue: Sendable, Hashable {
    case inline(Data)
    /// The name of a file in the folder that `folder(forStore:)` names.
    case file(String)

    /// Values of more bytes go to a file. Apple doesn't state its limit; those seen lie around it.
    package static let largestInline = 128 * 1024

    package init(_ value: Data) {
        self = value.count > Self.largestInline ? .file(UUID().uuidString) : .inline(value)
    }

    /// Reads a cell; `nil` when the bytes are of neither form. A file's name is always a UUID, so that a cell
    /// can't point elsewhere.
    package init?(cell: Data) {
        switch cell.first {
        case 1:
            self = .inline(Data(cell.dropFirst()))
        case 2:
            guard cell.count == 38, cell.last == 0,
                let name = String(bytes: cell.dropFirst().dropLast(), encoding: .utf8),
                UUID(uuidString: name) != nil
            else { return nil }
            self = .file(name)
        default:
            return nil
        }
    }

    /// The contents of the cell.
    package var cell: Data {
        switch self {
        case .inline(let value): Data([1]) + value
        case .file(let name): Data([2]) + Data(name.utf8) + Data([0])
        }
    }

    /// The folder of a store's external files, as a path beside the store.
    package static func folder(forStore fileName: String) -> String {
        ".\(baseName(fileName))_SUPPORT/_EXTERNAL_DATA"
    }

    private static func baseName(_ fileName: String) -> Substring {
        guard let dot = fileName.lastIndex(of: "."), dot != fileName.startIndex else {
            return Substring(fileName)
        }
        return fileName[..<dot]
    }
}
