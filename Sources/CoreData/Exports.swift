// `import CoreData` brings Foundation with it, as on Apple's systems. Nothing else belongs here.

@_exported public import Foundation
