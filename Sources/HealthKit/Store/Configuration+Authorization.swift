public import Foundation

extension HKHealthStore.Configuration {
    /// How requests for permission are answered.
    public enum Authorization: Sendable {
        /// ``allowAll`` for a store in memory and where `HEALTHKIT_AUTHORIZATION` is `allow`, else
        /// ``ask``.
        case automatic
        /// The store's own record counts. Types that nobody decided on are asked on the terminal; without
        /// a terminal the answer is no, and a log line says how to change it.
        case ask
        /// Everything is permitted, without a record.
        case allowAll
        /// The store's own record counts. Types that nobody decided on are decided by the closure, which
        /// runs on a background thread.
        case handler(@Sendable (AuthorizationRequest) -> AuthorizationAnswer)
    }

    /// Types an application asks for and nobody has decided on yet.
    public struct AuthorizationRequest: Sendable {
        /// Who asks.
        public var application: Application
        /// Types to write.
        public var share: Set<HKSampleType>
        /// Types to read.
        public var read: Set<HKObjectType>
        /// For the one type in ``read`` that is permitted object by object: the objects asked for, by identity.
        public var objects: Set<UUID> = []
    }

    /// What a person permits of a request; the rest of it is refused.
    public struct AuthorizationAnswer: Sendable {
        /// Types that may be written.
        public var share: Set<HKSampleType>
        /// Types that may be read.
        public var read: Set<HKObjectType>
        /// Single objects that may be read; all that were asked for where ``read`` has their type.
        public var objects: Set<UUID>

        /// Permits these types. Types nobody asked for change nothing.
        public init(share: Set<HKSampleType>, read: Set<HKObjectType>, objects: Set<UUID> = []) {
            self.share = share
            self.read = read
            self.objects = objects
        }

        /// Everything that was asked for.
        public static func all(_ request: AuthorizationRequest) -> AuthorizationAnswer {
            AuthorizationAnswer(share: request.share, read: request.read)
        }

        /// Nothing.
        public static var none: AuthorizationAnswer { AuthorizationAnswer(share: [], read: []) }
    }
}
