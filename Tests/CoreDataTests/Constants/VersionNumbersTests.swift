// The version numbers have Apple's values.

import CoreData
import CoreDataTestSupport
import Testing

struct VersionNumbersTests {
    @Test(
        "version of a release",
        arguments: [
            (NSCoreDataVersionNumber10_4, 46.0),
            (NSCoreDataVersionNumber10_4_3, 77.0),
            (NSCoreDataVersionNumber10_5, 185.0),
            (NSCoreDataVersionNumber10_5_3, 186.0),
            (NSCoreDataVersionNumber10_6, 246.0),
            (NSCoreDataVersionNumber10_6_2, 250.0),
            (NSCoreDataVersionNumber10_6_3, 251.0),
            (NSCoreDataVersionNumber10_7, 358.4),
            (NSCoreDataVersionNumber10_7_2, 358.12),
            (NSCoreDataVersionNumber10_7_3, 358.13),
            (NSCoreDataVersionNumber10_7_4, 358.14),
            (NSCoreDataVersionNumber10_8, 407.5),
            (NSCoreDataVersionNumber10_8_2, 407.7),
            (NSCoreDataVersionNumber10_9, 481.0),
            (NSCoreDataVersionNumber10_9_2, 481.1),
            (NSCoreDataVersionNumber10_9_3, 481.3),
            (NSCoreDataVersionNumber10_10, 526.0),
            (NSCoreDataVersionNumber10_10_2, 526.1),
            (NSCoreDataVersionNumber10_10_3, 526.2),
            (NSCoreDataVersionNumber10_11, 640.0),
            (NSCoreDataVersionNumber10_11_3, 641.3),
            (NSCoreDataVersionNumber_iPhoneOS_3_0, 241.0),
            (NSCoreDataVersionNumber_iPhoneOS_3_1, 248.0),
            (NSCoreDataVersionNumber_iPhoneOS_3_2, 310.2),
            (NSCoreDataVersionNumber_iPhoneOS_4_0, 320.5),
            (NSCoreDataVersionNumber_iPhoneOS_4_1, 320.11),
            (NSCoreDataVersionNumber_iPhoneOS_4_2, 320.15),
            (NSCoreDataVersionNumber_iPhoneOS_4_3, 320.17),
            (NSCoreDataVersionNumber_iPhoneOS_5_0, 386.1),
            (NSCoreDataVersionNumber_iPhoneOS_5_1, 386.5),
            (NSCoreDataVersionNumber_iPhoneOS_6_0, 419.0),
            (NSCoreDataVersionNumber_iPhoneOS_6_1, 419.1),
            (NSCoreDataVersionNumber_iPhoneOS_7_0, 479.1),
            (NSCoreDataVersionNumber_iPhoneOS_7_1, 479.3),
            (NSCoreDataVersionNumber_iPhoneOS_8_0, 519.0),
            (NSCoreDataVersionNumber_iPhoneOS_8_3, 519.15),
            (NSCoreDataVersionNumber_iPhoneOS_9_0, 640.0),
            (NSCoreDataVersionNumber_iPhoneOS_9_2, 641.4),
            (NSCoreDataVersionNumber_iPhoneOS_9_3, 641.6),
        ])
    func version(number: Double, apples: Double) {
        expect(number, equals: apples)
    }

    @Test func `the module's own version is later than every named one`() {
        #expect(NSCoreDataVersionNumber > NSCoreDataVersionNumber_iPhoneOS_9_3)
    }
}
