// Names of Apple's frameworks for user interfaces and their kin, as code uses them.

enum AppleInterface {
    /// True for `UIView`, `NSTableView`, `CATransaction`, `AnyPublisher`. Names of modules that something takes the place of
    /// aren't among them.
    static func has(_ name: String, besides replaced: Set<String> = []) -> Bool {
        if names.contains(name) || combine.contains(name) && !replaced.contains("Combine") { return true }
        return prefixes.contains { prefix in
            let rest = name.dropFirst(prefix.count)
            guard name.hasPrefix(prefix), let first = rest.first, let second = rest.dropFirst().first else {
                return false
            }
            return first.isUppercase && second.isLowercase
        }
    }

    private static let prefixes = [
        "UI", "CA", "WK", "SK", "SCN", "AV", "MK", "CL", "CN", "HK", "PH", "EK", "GK", "GL", "MTL", "CI",
        "CK", "CB",
        "UN", "LA", "MF", "PK", "SF", "QL", "NSCollectionView", "NSTable", "NSOutline", "NSView", "NSWindow",
        "NSMenu", "NSToolbar", "NSStoryboard", "NSColor", "NSFont", "NSImage", "NSText", "NSLayout", "NSUser",
        "NSDiffable", "NSSplit", "NSScroll", "NSStack", "NSTouch", "NSPage", "NSStatus",
    ]

    private static let names: Set<String> = [
        "NSApplication", "NSApp", "NSView", "NSWindow", "NSImage", "NSColor", "NSFont", "NSMenu", "NSEvent",
        "NSControl", "NSButton", "NSCell", "NSResponder", "NSDocument", "NSDocumentController",
        "NSPersistentDocument", "NSController", "NSObjectController", "NSArrayController", "NSTreeController",
        "NSWorkspace", "NSScreen", "NSAlert", "NSPanel", "NSOpenPanel", "NSSavePanel", "NSNib",
        "NSPasteboard",
        "NSTextView", "NSBezierPath", "NSGraphicsContext", "NSAppearance", "NSHostingController", "NSPopover",
        "ObservedObject", "StateObject", "EnvironmentObject", "EnvironmentValues", "EnvironmentKey",
        "ViewModifier", "ViewBuilder", "DynamicProperty", "FetchRequest", "FetchedResults", "PreviewProvider",
        "FetchedPropertyWrapper",
    ]

    private static let combine: Set<String> = [
        "AnyPublisher", "AnyCancellable", "Cancellable", "Publisher", "Published", "ObservableObject",
        "PassthroughSubject", "CurrentValueSubject", "ObservableObjectPublisher", "Publishers",
    ]
}
