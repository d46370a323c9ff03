// A fault of a model file, and its place in the file.

import CoreDataSupport
import Foundation

/// The failure to read or write a model file.
package struct ModelFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    package var entity: String?
    package var property: String?
    package var reason: String

    package init(file: String, entity: String? = nil, property: String? = nil, reason: String) {
        self.file = file
        self.entity = entity
        self.property = property
        self.reason = reason
    }

    package var description: String {
        let place = [entity, property].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? "\(file): \(reason)" : "\(file): \(place): \(reason)"
    }

    /// Runs `body` and names the place in what it throws, unless a place further in is named already.
    package static func locating<Result>(
        _ file: String, entity: String? = nil, property: String? = nil, body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch var error as ModelFileError {
            error.file = error.file.isEmpty ? file : error.file
            error.entity = error.entity ?? entity
            error.property = error.property ?? property
            throw error
        } catch let error as ArchiveFailure {
            throw ModelFileError(file: file, entity: entity, property: property, reason: error.reason)
        } catch let error as CocoaError {
            throw ModelFileError(
                file: file, entity: entity, property: property, reason: error.localizedDescription)
        } catch {
            throw ModelFileError(file: file, entity: entity, property: property, reason: "\(error)")
        }
    }
}
