import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Testing

@testable import HealthKit

@Suite struct HKErrorMappingTests {
    @Test func engineErrorsHaveTheOriginalsCodesAndTexts() {
        let type = TypeCode(rawValue: 1)
        let expected: [(EngineError, HKError.Code, String)] = [
            (.invalidArgument("Because."), .errorInvalidArgument, "Because."),
            (.authorizationDenied(type), .errorAuthorizationDenied, "Not authorized"),
            (
                .authorizationNotDetermined(type), .errorAuthorizationNotDetermined,
                "Authorization not determined"
            ),
            (.noData, .errorNoData, "No data available for the specified predicate."),
        ]
        for (error, code, text) in expected {
            let told = HKError.make(error)
            #expect((told as? HKError)?.code == code)
            #expect(told.localizedDescription == text)
            #expect((told as NSError).domain == "com.apple.healthkit")
            #expect((told as NSError).code == code.rawValue)
        }
    }

    @Test func storageTroubleIsAnInaccessibleDatabase() {
        let told = HKError.make(StorageError(.damaged, "page 3 is torn"))
        #expect((told as? HKError)?.code == .errorDatabaseInaccessible)
        #expect(told.localizedDescription == "page 3 is torn")
        #expect((told as NSError).userInfo[NSUnderlyingErrorKey] is StorageError)
    }

    @Test func errorsOfTheModuleAreUnchanged() {
        let first = HKError.make(EngineError.noData)
        #expect((HKError.make(first) as? HKError)?.code == .errorNoData)
        #expect(HKError.make(CancellationError()) is CancellationError)
    }
}
