/// What the document of a health institution's record calls its fields.
public enum ClinicalRecordDocument {
    /// The name people read.
    public static let displayName = "displayName"
    /// The version of the FHIR standard, such as `4.0.1`.
    public static let version = "FHIRVersion"
    /// The kind of FHIR resource, such as `Immunization`.
    public static let resourceType = "FHIRResourceType"
    /// The resource's identifier at its institution.
    public static let identifier = "FHIRIdentifier"
    /// The resource's bytes, in JSON; missing where only its existence is known.
    public static let data = "FHIRData"
    /// Where the resource came from.
    public static let sourceURL = "FHIRSourceURL"
}
