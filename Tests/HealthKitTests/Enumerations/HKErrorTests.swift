import Foundation
import HealthKit
import Testing

@Suite struct HKErrorTests {
    private func raise(_ code: HKError.Code, _ text: String? = nil) throws {
        throw HKError(code, userInfo: text.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
    }

    @Test func bridgesToNSErrorAndBack() throws {
        do {
            try raise(.errorNoData, "Nothing there.")
            Issue.record("nothing was thrown")
        } catch {
            #expect((error as NSError).domain == "com.apple.healthkit")
            #expect((error as NSError).domain == HKErrorDomain)
            #expect((error as NSError).code == 11)
            #expect((error as NSError).localizedDescription == "Nothing there.")
            #expect(error.localizedDescription == "Nothing there.")
            let health = try #require(error as? HKError)
            #expect(health.code == .errorNoData)
            #expect(health.errorCode == 11)
            #expect(health.userInfo[NSLocalizedDescriptionKey] as? String == "Nothing there.")
            #expect(HKError.errorDomain == HKErrorDomain)
        }
    }

    @Test func patterns() {
        do {
            try raise(.errorAuthorizationDenied)
        } catch HKError.errorAuthorizationNotDetermined {
            Issue.record("matched another code")
        } catch HKError.errorAuthorizationDenied {
            // As it should be.
        } catch {
            Issue.record("no pattern matched")
        }
        let error: any Error = HKError(.errorDatabaseInaccessible)
        if case HKError.errorDatabaseInaccessible = error {} else { Issue.record("if case does not match") }
        switch error {
        case let known as HKError where known.code == .errorDatabaseInaccessible: break
        default: Issue.record("where does not match")
        }
    }

    @Test func equalityAndHash() {
        #expect(HKError(.errorNoData) == HKError(.errorNoData))
        #expect(HKError(.errorNoData) != HKError(.errorInvalidArgument))
        #expect(HKError(.errorNoData).hashValue == HKError(.errorNoData).hashValue)
        #expect(Set([HKError(.errorNoData), HKError(.errorNoData), HKError(.errorInvalidArgument)]).count == 2)
        #expect(HKError.Code.noError == .unknownError)
        #expect(HKError.noError == HKError.Code.unknownError)
    }
}
