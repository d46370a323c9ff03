// The errors of the throwing forms when a predicate can't be read or evaluated.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct PredicateErrorTests {
    @Test func aFormatErrorSaysWhatAndWhere() {
        let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: "age > > 3") }
        expect(error?.position, equals: 6)
        expect(error?.length, equals: 1)
        expect(error?.errorCode, equals: 1)
        expect(PredicateFormatError.errorDomain, equals: "CoreData.PredicateFormatError")
        let text = error?.errorDescription
        expect(text, equals: error.map { "\($0.reason) (at character 6)" })
        expect(error?.errorUserInfo[NSLocalizedDescriptionKey] as? String, equals: text)
    }

    @Test func anEvaluationErrorSaysWhat() {
        let predicate = NSPredicate(format: "$LIMIT > 3")
        let error = #expect(throws: PredicateEvaluationError.self) {
            try predicate.matches(nil)
        }
        expect(error?.reason.contains("LIMIT"), equals: true)
        expect(error?.errorDescription, equals: error?.reason)
        expect(error?.errorCode, equals: 1)
        expect(PredicateEvaluationError.errorDomain, equals: "CoreData.PredicateEvaluationError")
        expect(error?.errorUserInfo[NSLocalizedDescriptionKey] as? String, equals: error?.reason)
    }
}
