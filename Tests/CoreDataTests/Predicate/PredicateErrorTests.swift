// The errors of the throwing forms when a predicate can't be read or evaluated.

import CoreData
import Foundation
import Testing

struct PredicateErrorTests {
    @Test func aFormatErrorSaysWhatAndWhere() {
        let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: "age > > 3") }
        #expect(error?.position == 6)
        #expect(error?.length == 1)
        #expect(error?.errorCode == 1)
        #expect(PredicateFormatError.errorDomain == "CoreData.PredicateFormatError")
        let text = error?.errorDescription
        #expect(text == error.map { "\($0.reason) (at character 6)" })
        #expect(error?.errorUserInfo[NSLocalizedDescriptionKey] as? String == text)
    }

    @Test func anEvaluationErrorSaysWhat() {
        let predicate = NSPredicate(format: "$LIMIT > 3")
        let error = #expect(throws: PredicateEvaluationError.self) {
            try predicate.matches(nil)
        }
        #expect(error?.reason.contains("LIMIT") == true)
        #expect(error?.errorDescription == error?.reason)
        #expect(error?.errorCode == 1)
        #expect(PredicateEvaluationError.errorDomain == "CoreData.PredicateEvaluationError")
        #expect(error?.errorUserInfo[NSLocalizedDescriptionKey] as? String == error?.reason)
    }
}
