// What people read of a model.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite struct ModelSummaryTests {
    @Test func renamedEntitiesAndPartialIndexes() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <model documentVersion="1.0"><entity name="Item" elementID="Article">
            <attribute name="price" optional="YES" attributeType="Double"/>
            <fetchIndex name="double" partialIndexPredicate="price &gt; 1">
            <fetchIndexElement expression="price * 2" expressionType="Double" type="Binary" order="descending"/>
            <fetchIndexElement property="price" type="Binary" order="ascending"/>
            </fetchIndex></entity></model>
            """
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        let output = try Output(newFile: folder.file("Summary.txt"))
        try ModelSummary(try NSManagedObjectModel.read(from: url), showsHashes: false).write(to: output)
        try output.finish()
        let lines = try String(contentsOf: folder.file("Summary.txt"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        expect(lines.first, equals: "Item, was Article")
        expect(lines.last, equals: "  index double: price * 2 descending, price where price > 1")
    }
}
