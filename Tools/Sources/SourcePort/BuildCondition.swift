// Conditions of `#if` as they come out off Apple's systems, and the code that they leave out there.

/// Evaluates the condition of an `#if` as far as the system decides it.
struct BuildCondition {
    static let systems: Set<String> = [
        "iOS", "macOS", "tvOS", "watchOS", "visionOS", "OSX", "xrOS", "macCatalyst",
    ]

    private let tokens: [SwiftToken]
    private var position = 0

    /// True or false if that is what every build off Apple's systems finds, nil if it depends.
    static func value(_ tokens: [SwiftToken]) -> Bool? {
        var condition = BuildCondition(tokens: tokens)
        let value = condition.disjunction()
        return condition.position == tokens.count ? value : nil
    }

    private init(tokens: [SwiftToken]) { self.tokens = tokens }

    private func isNext(_ text: String, ahead: Int = 0) -> Bool {
        position + ahead < tokens.count && tokens[position + ahead].is(text)
    }

    private mutating func disjunction() -> Bool? {
        var value = conjunction()
        while isNext("|"), isNext("|", ahead: 1) {
            position += 2
            let next = conjunction()
            value = value == true || next == true ? true : value == nil || next == nil ? nil : false
        }
        return value
    }

    private mutating func conjunction() -> Bool? {
        var value = term()
        while isNext("&"), isNext("&", ahead: 1) {
            position += 2
            let next = term()
            value = value == false || next == false ? false : value == nil || next == nil ? nil : true
        }
        return value
    }

    private mutating func term() -> Bool? {
        if isNext("!") {
            position += 1
            return term().map { !$0 }
        }
        if isNext("(") {
            position += 1
            let value = disjunction()
            if isNext(")") { position += 1 }
            return value
        }
        guard position < tokens.count else { return nil }
        let name = tokens[position].text
        position += 1
        return isNext("(") ? call(name) : flag(name)
    }

    /// `os(iOS)`, `canImport(UIKit)`, `swift(>=5.9)`
    private mutating func call(_ name: String) -> Bool? {
        position += 1
        let argument = position < tokens.count ? tokens[position].text : ""
        while position < tokens.count, !isNext(")") { position += 1 }
        position = min(position + 1, tokens.count)
        switch name {
        case "os": return argument == "Linux" ? true : Self.systems.contains(argument) ? false : nil
        case "canImport":
            return AppleModules.names.contains(argument) || argument == "ObjectiveC" ? false : nil
        case "targetEnvironment": return false
        default: return nil
        }
    }

    /// Off Apple's systems packages are what is built.
    private func flag(_ name: String) -> Bool? {
        ["SWIFT_PACKAGE": true, "true": true, "false": false][name]
    }
}

/// Finds code that `#if` leaves to Apple's systems.
enum ConditionRegions {
    static func appleOnly(_ tokens: [SwiftToken], bytes: [UInt8]) -> [Bool] {
        // For each condition around a token: whether this branch is left out, and whether one before is always taken.
        var stack: [(isLeftOut: Bool, isDecided: Bool)] = []
        return tokens.enumerated().map { index, token in
            if token.kind == .pound {
                let value = { BuildCondition.value(condition(after: index, tokens: tokens, bytes: bytes)) }
                switch token.text {
                case "#if":
                    let value = value()
                    stack.append((value == false, value == true))
                case "#elseif" where !stack.isEmpty:
                    let value = value()
                    let isDecided = stack[stack.count - 1].isDecided
                    stack[stack.count - 1] = (isDecided || value == false, isDecided || value == true)
                case "#else" where !stack.isEmpty:
                    stack[stack.count - 1].isLeftOut = stack[stack.count - 1].isDecided
                case "#endif": _ = stack.popLast()
                default: break
                }
            }
            return stack.contains { $0.isLeftOut }
        }
    }

    /// The tokens behind an `#if` on its line.
    static func condition(after index: Int, tokens: [SwiftToken], bytes: [UInt8]) -> [SwiftToken] {
        let start = tokens[index].range.upperBound
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        return Array(tokens[(index + 1)...].prefix { $0.range.upperBound <= end })
    }
}
