// A file that imports only HealthKit sees Foundation too, as with the original.
@_exported public import Foundation
