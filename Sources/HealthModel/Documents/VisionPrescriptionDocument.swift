/// What the document of a prescription of glasses or contacts calls its fields.
public enum VisionPrescriptionDocument {
    /// Raw value of what it is for: ``glasses`` or ``contacts``.
    public static let type = "prescriptionType"
    /// When it ceases to be valid; missing where nothing is said.
    public static let expiration = "expirationDate"
    /// The lens of the right eye, a record of ``LensDocument``.
    public static let rightEye = "rightEye"
    /// The lens of the left eye, a record of ``LensDocument``.
    public static let leftEye = "leftEye"
    /// Who makes the contacts.
    public static let brand = "brand"

    /// Raw value of a prescription of glasses.
    public static let glasses: Int64 = 1
    /// Raw value of a prescription of contacts.
    public static let contacts: Int64 = 2
}
