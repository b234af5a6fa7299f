/// A physical dimension as the original tells them apart.
///
/// Energy, power and pressure stand for themselves: the original does not take W for J/s.
enum UnitDimension: Int, Hashable, CaseIterable {
    case mass, length, time, temperature, pressure, energy, power, conductance, potential, illuminance
    case angle, refraction, prism, soundPressureLevel, hearingLevel, pharmacology, effort, amount
}
