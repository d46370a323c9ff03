// `import SwiftData` brings Foundation and Observation with it, as on Apple's systems.

@_exported public import Foundation
@_exported public import Observation
