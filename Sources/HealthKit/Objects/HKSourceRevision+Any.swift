public import Foundation

/// Stands for any version of a source in a source-revision predicate.
public let HKSourceRevisionAnyVersion: String = "HKSourceRevisionAnyVersion"

/// Stands for any product type in a source-revision predicate.
public let HKSourceRevisionAnyProductType: String = "HKSourceRevisionAnyProductType"

/// Stands for any operating system version in a source-revision predicate.
public let HKSourceRevisionAnyOperatingSystem: OperatingSystemVersion = OperatingSystemVersion(
    majorVersion: -1, minorVersion: -1, patchVersion: -1)
