package import HealthModel

/// The part of a store that an engine reads when it opens it, of one snapshot.
package struct StoreOpening: Sendable {
    /// The identity of the store.
    package var identity: StoreIdentity
    /// The last allocated sequence number.
    package var lastSequence: Int64
    /// All dictionary entries.
    package var dictionaries: StoreDictionaries
    /// The values of the namespaces that were asked for, by their keys.
    package var settings: [String: [String: [UInt8]]]

    /// Creates what was read.
    package init(
        identity: StoreIdentity, lastSequence: Int64, dictionaries: StoreDictionaries,
        settings: [String: [String: [UInt8]]]
    ) {
        self.identity = identity
        self.lastSequence = lastSequence
        self.dictionaries = dictionaries
        self.settings = settings
    }
}

/// The settings that are read when a store is opened.
package struct OpenedSettings: Sendable {
    /// The namespaces whose values are returned.
    package var returned: [String]
    /// The namespaces that the first transactions are likely to ask for, and the beginnings of such namespaces, which end
    /// with a slash. A backend for which each read is a round trip reads them ahead.
    package var likely: [String]
    /// Likewise the namespaces that grow: only their last keys are read ahead, after which there are no others.
    package var growing: [String]

    /// Creates a list of settings.
    package init(returned: [String], likely: [String], growing: [String]) {
        self.returned = returned
        self.likely = likely
        self.growing = growing
    }
}

/// The pages of a type to which a run of samples belongs, of which a writing transaction reads some ahead.
package struct PageRun: Sendable {
    /// The type of the samples.
    package var type: TypeCode
    /// The first start of a sample.
    package var firstStart: Double
    /// The last start of a sample.
    package var lastStart: Double
    /// Pages with fewer samples are read with their bodies, as are those with a sample after ``firstStart``.
    package var bodyCount: Int
    /// The numbers of samples with which the page of ``lastStart`` is likely to be joined with those before it, which are
    /// then read, too.
    package var joinedCounts: Range<Int>

    /// Creates a run.
    package init(
        type: TypeCode, firstStart: Double, lastStart: Double, bodyCount: Int, joinedCounts: Range<Int>
    ) {
        self.type = type
        self.firstStart = firstStart
        self.lastStart = lastStart
        self.bodyCount = bodyCount
        self.joinedCounts = joinedCounts
    }
}
