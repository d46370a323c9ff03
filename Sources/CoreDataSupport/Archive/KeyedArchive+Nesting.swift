// A check that the objects of a keyed archive can be made in finite steps, for readers that recurse.

extension KeyedArchive {
    /// The depth to which objects of an archive may contain objects, so that a reader that
    /// recurses has the stack for it.
    package static let nestingLimit = 200

    /// Throws `ArchiveFailure` if an object contains itself, or objects are nested deeper than the limit.
    package func checkNesting() throws {
        var depths: [Int?] = Array(repeating: nil, count: objects.count)
        var isOpen = Array(repeating: false, count: objects.count)
        for start in Self.references(in: top) {
            var path: [(index: Int, rest: [Int])] = []
            func enter(_ index: Int) throws {
                guard index < objects.count else {
                    throw ArchiveFailure("the archive points outside of its objects")
                }
                if isOpen[index] { throw ArchiveFailure("an object of the archive contains itself") }
                if let known = depths[index] {
                    if path.count + known > Self.nestingLimit { throw tooDeep }
                    return
                }
                if path.count >= Self.nestingLimit { throw tooDeep }
                isOpen[index] = true
                path.append((index, Self.references(in: objects[index])))
            }
            try enter(start)
            while let last = path.indices.last {
                if let next = path[last].rest.popLast() {
                    try enter(next)
                } else {
                    let (index, _) = path.removeLast()
                    isOpen[index] = false
                    let parts = Self.references(in: objects[index]).lazy.compactMap { depths[$0] }
                    depths[index] = 1 + (parts.max() ?? 0)
                }
            }
        }
    }

    private var tooDeep: ArchiveFailure { ArchiveFailure("the objects of the archive are nested too deep") }

    /// The objects that a property list refers to, but for the descriptions of classes.
    private static func references(in list: PropertyList) -> [Int] {
        var found: [Int] = []
        var work = [list]
        while let next = work.popLast() {
            switch next {
            case .uid(let uid): found.append(Int(uid))
            case .array(let elements), .set(let elements): work += elements
            case .dictionary(let entries): work += entries.lazy.filter { $0.key != "$class" }.map(\.value)
            default: break
            }
        }
        return found
    }
}
