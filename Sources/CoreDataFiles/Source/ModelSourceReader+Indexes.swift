// Indexes in source models. An index changes no answer, so that one which can't be read is left out.

import CoreDataSchema

extension ModelSourceReader {
    /// Nil, with a remark, for an index that names nothing that it could be over. Throws `ArchiveFailure` for an
    /// expression or a predicate that doesn't parse.
    func fetchIndex(_ element: SourceElement) throws -> FetchIndexSchema? {
        element.remarkUnknownAttributes()
        guard let name = element.text("name") else {
            element.remark("<fetchIndex> number \(element.number) has no \"name\": it is left out")
            return nil
        }
        var parts: [FetchIndexElementSchema] = []
        for child in element.children {
            guard child.name == "fetchIndexElement" else {
                child.remarkUnknown()
                continue
            }
            guard let part = try fetchIndexElement(child) else {
                child.remark(
                    "the fetch index \"\(name)\" has an element without \"property\": the index is left out")
                return nil
            }
            parts.append(part)
        }
        return try FetchIndexSchema(
            name: name, elements: parts, partialPredicate: element.predicate("partialIndexPredicate"))
    }

    private func fetchIndexElement(_ element: SourceElement) throws -> FetchIndexElementSchema? {
        element.remarkUnknownAttributes()
        let subject: FetchIndexElementSchema.Subject
        if let expression = try element.expression("expression") {
            subject = .expression(
                name: element.text("name") ?? "", expression,
                resultType: element.attributeType("expressionType"))
        } else if let property = element.text("property") {
            subject = .property(property)
        } else {
            return nil
        }
        let collation = element.word(
            "type", words: [("Binary", FetchIndexElementSchema.Collation.binary), ("RTree", .rTree)],
            unknown: "Binary")
        let isAscending = element.word(
            "order", words: [("ascending", true), ("descending", false)], unknown: "ascending")
        return FetchIndexElementSchema(
            subject, collation: collation ?? .binary, isAscending: isAscending ?? true)
    }

    func compoundIndexes(_ element: SourceElement) -> [[String]] {
        element.children.compactMap { index in
            let names = index.children.map { part in
                part.remarkUnknownAttributes()
                return part.text("value")
            }
            if !names.contains(nil), !names.isEmpty { return names.compactMap(\.self) }
            index.remark("a compound index has an element without \"value\": the index is left out")
            return nil
        }
    }
}
