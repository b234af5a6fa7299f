/// What the record of a lens calls its fields. All but the prism are quantities.
public enum LensDocument {
    /// The power of the lens, in dioptres; every lens has one.
    public static let sphere = "sphere"
    /// The power added along an axis, in dioptres.
    public static let cylinder = "cylinder"
    /// The direction without cylinder power, in degrees.
    public static let axis = "axis"
    /// The power added for near sight, in dioptres.
    public static let addPower = "addPower"

    /// Of glasses: from the lens to the eye.
    public static let vertexDistance = "vertexDistance"
    /// Of glasses: how the lens shifts what the eye sees, a record of ``PrismDocument``.
    public static let prism = "prism"
    /// Of glasses: from the nose to the pupil when looking far.
    public static let farPupillaryDistance = "farPupillaryDistance"
    /// Of glasses: from the nose to the pupil when looking near.
    public static let nearPupillaryDistance = "nearPupillaryDistance"

    /// Of contacts: the radius of the lens's back.
    public static let baseCurve = "baseCurve"
    /// Of contacts: the width of the lens.
    public static let diameter = "diameter"
}
