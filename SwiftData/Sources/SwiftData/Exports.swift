// `import SwiftData` brings Foundation and Observation with it, as on Apple's systems, and classes of Foundation's that only
// Core Data has here.

@_exported public import class CoreData.NSSecureUnarchiveFromDataTransformer
@_exported public import struct CoreData.NSValueTransformerName
@_exported public import class CoreData.UndoManager
@_exported public import class CoreData.ValueTransformer
@_exported public import Foundation
@_exported public import Observation
