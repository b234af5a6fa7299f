#!/usr/bin/env python3
"""Writes the generated parts of Sources/HealthKit and of its tests from the table of public symbols.

usage: Scripts/generate-healthkit-symbols.py HEALTHKIT_SYMBOLS.tsv METADATA_KEYS.tsv

  Types/GENERATED-TypeIdentifiers.swift          the identifier structures with their constants
  Enumerations/GENERATED-Enumerations.swift      the enumerations with their raw values
  Enumerations/GENERATED-Constants.swift         metadata keys, predicate key paths, sort identifiers …
  Tests/…/GENERATED-RawValueTests.swift          every raw value again, straight from the table
  Tests/…/GENERATED-RawStringTests.swift         every raw string: identifiers, metadata keys, other constants

METADATA_KEYS.tsv is Scripts/metadata-keys.tsv: name without prefix, raw string, whether the raw string
was observed. An enumeration inside a class is written only when the class is declared somewhere under
Sources/HealthKit: run the script again when one is added.
"""
import collections, csv, glob, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KIT = os.path.join(ROOT, "Sources", "HealthKit")
TESTS = os.path.join(ROOT, "Tests", "HealthKitTests")
HEAD = "// Made by Scripts/generate-healthkit-symbols.py; edit that, not this.\n\n"

def rows(path):
    with open(path, encoding="utf-8") as handle:
        for row in list(csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]:
            yield (row + [""] * 4)[:4]

table = [(kind, path.replace("`", ""), raw, decl) for kind, path, raw, decl in rows(sys.argv[1])]
by_path = {path: (kind, raw, decl) for kind, path, raw, decl in table}

def words(name):
    """anEnumCaseName → 'an enum case name', for one-line comments."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return " ".join(w if w.isupper() else w.lower() for w in spaced.split())

def escaped(name):
    return f"`{name}`" if name in ("default", "none", "in", "is", "for", "self") else name

# --- identifier structures -------------------------------------------------------------------------

CAPITALS = {"vo2Max": "VO2Max", "uvExposure": "UVExposure"}
SPECIAL = {
    "HKFHIRRelease": {"dstu2": "DSTU2", "r4": "R4", "unknown": "Unknown"},
    "HKVerifiableClinicalRecordCredentialType": {
        name: f"https://smarthealth.cards#{name}" for name in ("covid19", "immunization", "laboratory", "recovery")},
    "HKVerifiableClinicalRecordSourceType": {
        "smartHealthCard": "SMARTHealthCard", "euDigitalCOVIDCertificate": "EUDigitalCOVIDCertificate"},
}
IDENTIFIERS = {
    "HKQuantityTypeIdentifier": "The name of a quantity type.",
    "HKCategoryTypeIdentifier": "The name of a category type.",
    "HKCharacteristicTypeIdentifier": "The name of a fact about the person.",
    "HKCorrelationTypeIdentifier": "The name of a correlation type.",
    "HKDocumentTypeIdentifier": "The name of a document type.",
    "HKClinicalTypeIdentifier": "The name of a clinical record type.",
    "HKScoredAssessmentTypeIdentifier": "The name of a scored assessment type.",
    "HKFHIRResourceType": "The kind of a FHIR resource.",
    "HKFHIRRelease": "A release of FHIR.",
    "HKHealthConceptDomain": "The domain a health concept belongs to.",
    "HKMedicationGeneralForm": "The form a medication is given in.",
    "HKVerifiableClinicalRecordCredentialType": "What a verifiable clinical record certifies.",
    "HKVerifiableClinicalRecordSourceType": "Who issues verifiable clinical records of a kind.",
}

def identifier_raw(structure, name):
    if structure in SPECIAL:
        return SPECIAL[structure][name]
    upper = CAPITALS.get(name, name[0].upper() + name[1:])
    return upper if structure == "HKFHIRResourceType" else structure + upper

structures = [p for k, p, _, _ in table if k == "struct" and p in IDENTIFIERS]
with open(os.path.join(KIT, "Types", "GENERATED-TypeIdentifiers.swift"), "w", encoding="utf-8") as out:
    out.write(HEAD)
    for position, structure in enumerate(sorted(structures, key=list(IDENTIFIERS).index)):
        names = sorted(p.split(".")[1] for k, p, _, _ in table if k == "type.property" and p.startswith(structure + "."))
        out.write("\n" if position else "")
        out.write(f"/// {IDENTIFIERS[structure]}\n")
        out.write(f"public struct {structure}: RawRepresentable, Hashable, Sendable {{\n")
        out.write("    /// The name as archives spell it.\n    public let rawValue: String\n\n")
        out.write("    public init(rawValue: String) {\n        self.rawValue = rawValue\n    }\n\n")
        for name in names:
            out.write(f"    /// {words(name)[0].upper() + words(name)[1:]}.\n")
            out.write(f"    public static let {escaped(name)} = {structure}(rawValue: \"{identifier_raw(structure, name)}\")\n")
        out.write("}\n")

# --- enumerations ----------------------------------------------------------------------------------

ABOUT = {
    "HKActivityMoveMode": "What drives the Move ring.",
    "HKAppleECGAlgorithmVersion": "The version of the ECG classifier of Apple devices.",
    "HKAppleSleepingBreathingDisturbancesClassification": "How a night's breathing disturbances are classed.",
    "HKAppleWalkingSteadinessClassification": "How walking steadiness is classed.",
    "HKAudiogramConductionType": "How a hearing test's tone reaches the ear.",
    "HKAudiogramSensitivityTestSide": "The ear a hearing test is of.",
    "HKAuthorizationRequestStatus": "Whether asking for authorization would show a question.",
    "HKAuthorizationStatus": "Whether an application may share (write) a type.",
    "HKBiologicalSex": "The person's sex.",
    "HKBloodGlucoseMealTime": "When blood glucose was measured, seen from a meal.",
    "HKBloodType": "The person's blood type.",
    "HKBodyTemperatureSensorLocation": "Where a thermometer was.",
    "HKCategoryValue": "The value of category types without an enumeration of their own.",
    "HKCyclingFunctionalThresholdPowerTestType": "How functional threshold power was found.",
    "HKDevicePlacementSide": "The side of the body a device was on.",
    "HKFitzpatrickSkinType": "The person's skin type on the Fitzpatrick scale.",
    "HKHeartRateMotionContext": "How active the person was when the heart rate was measured.",
    "HKHeartRateRecoveryTestType": "How heart rate recovery was tested.",
    "HKHeartRateSensorLocation": "Where a heart rate sensor was.",
    "HKInsulinDeliveryReason": "Why insulin was given.",
    "HKMetricPrefix": "A metric prefix of a unit.",
    "HKPhysicalEffortEstimationType": "How physical effort was estimated.",
    "HKPrismBase": "The direction of a prism's base.",
    "HKQuantityAggregationStyle": "How quantities of one type combine.",
    "HKSwimmingStrokeStyle": "A swimming style.",
    "HKUpdateFrequency": "How often background delivery may wake an application at most.",
    "HKUserMotionContext": "How active the person was.",
    "HKVO2MaxTestType": "How VO2 max was tested.",
    "HKVisionEye": "An eye.",
    "HKVisionPrescriptionType": "What a vision prescription is for.",
    "HKWaterSalinity": "The kind of water.",
    "HKWeatherCondition": "The weather during a workout.",
    "HKWheelchairUse": "Whether the person uses a wheelchair.",
    "HKWorkoutActivityType": "What a workout was.",
    "HKWorkoutEffortRelationshipQueryOptions": "Which effort samples a query over effort relationships gives.",
    "HKWorkoutEventType": "What happened in a workout.",
    "HKWorkoutSessionLocationType": "Whether a workout is indoors or outdoors.",
    "HKWorkoutSessionState": "Where a workout session is in its life.",
    "HKWorkoutSessionType": "Whether a session runs here or mirrors another device's.",
    "HKWorkoutSwimmingLocationType": "Where a swim takes place.",
    "HKElectrocardiogram.Classification": "What the classifier said of an ECG.",
    "HKElectrocardiogram.Lead": "A lead of an ECG.",
    "HKElectrocardiogram.SymptomsStatus": "Whether symptoms were entered with an ECG.",
    "HKError.Code": "Why HealthKit refused.",
    "HKGAD7Assessment.Answer": "An answer of the GAD-7 questionnaire.",
    "HKGAD7Assessment.Risk": "The risk class of a GAD-7 score.",
    "HKMedicationDoseEvent.LogStatus": "What became of a dose.",
    "HKMedicationDoseEvent.ScheduleType": "Whether a dose was planned.",
    "HKPHQ9Assessment.Answer": "An answer of the PHQ-9 questionnaire.",
    "HKPHQ9Assessment.Risk": "The risk class of a PHQ-9 score.",
    "HKStateOfMind.Association": "What a state of mind has to do with.",
    "HKStateOfMind.Kind": "How long a state of mind lasted.",
    "HKStateOfMind.Label": "A word for a state of mind.",
    "HKStateOfMind.ValenceClassification": "How pleasant a state of mind was.",
}
OTHER_NAMES = {
    "HKCategoryValueOvulationTestResult": [("positive", "luteinizingHormoneSurge")],
    "HKCategoryValueSleepAnalysis": [("asleep", "asleepUnspecified")],
    "HKQuantityAggregationStyle": [("discrete", "discreteArithmetic")],
    "HKError.Code": [("noError", "unknownError")],
}
CONFORMANCES = {
    "HKAppleSleepingBreathingDisturbancesClassification": ", CaseIterable",
    "HKAppleWalkingSteadinessClassification": ", CaseIterable",
}
# Written by hand: their cases carry values, or they are error codes with a protocol of Foundation's.
BY_HAND = {"HKElectrocardiogramQuery.Result"}

cases = collections.defaultdict(list)
for kind, path, raw, _ in table:
    if kind == "case" and "(" not in path and raw != "":
        owner, name = path.rsplit(".", 1)
        cases[owner].append((int(raw), name))

def raw_type(path):
    return "UInt" if "rawValue: UInt" in by_path.get(path + ".init(rawValue:)", ("", "", ""))[2] else "Int"

declared = set()
for file in glob.glob(os.path.join(KIT, "**", "*.swift"), recursive=True):
    if "GENERATED" not in file:
        with open(file, encoding="utf-8") as handle:
            declared |= set(re.findall(r"^(?:open|public)(?: final)? (?:class|struct) (\w+)", handle.read(), re.M))

def conformances(path):
    # Every enumeration of category values can ask for samples by value.
    return ", HKCategoryValuePredicateProviding" if path.startswith("HKCategoryValue") else CONFORMANCES.get(path, "")

def about(path):
    if path in ABOUT:
        return ABOUT[path]
    name = path.removeprefix("HKCategoryValue")
    return f"The values of {words(name)} samples."

def enumeration(path, indent):
    name = path.rsplit(".", 1)[-1]
    error = path == "HKError.Code"
    text = f"{indent}/// {about(path)}\n"
    text += f"{indent}public enum {name}: {raw_type(path)}{', _ErrorCodeProtocol' if error else ''}, Sendable{conformances(path)} {{\n"
    if error:
        text += f"{indent}    public typealias _ErrorType = HKError\n\n"
    if "CaseIterable" in conformances(path):
        text += f"{indent}    public typealias AllCases = [{path}]\n\n"
    for raw, case in sorted(cases[path]):
        text += f"{indent}    /// {words(case)[0].upper() + words(case)[1:]}.\n"
        text += f"{indent}    case {escaped(case)} = {raw}\n"
    for older, newer in OTHER_NAMES.get(path, []):
        text += f"\n{indent}    /// Another name of ``{newer}``.\n"
        text += f"{indent}    public static var {older}: {path} {{ .{newer} }}\n"
    if "CaseIterable" in conformances(path):
        every = ", ".join("." + escaped(case) for _, case in sorted(cases[path]))
        text += f"\n{indent}    /// Every class, in the order of raw values.\n"
        text += f"{indent}    public static var allCases: [{path}] {{ [{every}] }}\n"
    return text + f"{indent}}}\n"

enumerations = sorted(p for k, p, _, _ in table if k == "enum" and p not in BY_HAND)
left_out = [p for p in enumerations if "." in p and p.split(".")[0] not in declared]
with open(os.path.join(KIT, "Enumerations", "GENERATED-Enumerations.swift"), "w", encoding="utf-8") as out:
    # Foundation declares the protocol of error codes.
    out.write(HEAD + "public import Foundation\n")
    for path in enumerations:
        if path in left_out:
            continue
        out.write("\n")
        if "." in path:
            out.write(f"extension {path.split('.')[0]} {{\n{enumeration(path, '    ')}}}\n")
        else:
            out.write(enumeration(path, ""))

# --- constants -------------------------------------------------------------------------------------

KEY_PATHS = {
    "UUID": "UUID", "CategoryValue": "value", "Sum": "sumQuantity", "Min": "minimumQuantity", "Max": "maximumQuantity",
    "Average": "averageQuantity", "MostRecent": "mostRecentQuantity", "WorkoutDuration": "duration",
    "WorkoutTotalDistance": "totalDistance", "WorkoutTotalEnergyBurned": "totalEnergyBurned",
    "WorkoutTotalSwimmingStrokeCount": "totalSwimmingStrokeCount", "WorkoutTotalFlightsClimbed": "totalFlightsClimbed",
    "WorkoutType": "workoutActivityType", "WorkoutActivityType": "workoutActivity.activityType",
    "WorkoutActivityDuration": "workoutActivity.duration", "WorkoutActivityStartDate": "workoutActivity.startDate",
    "WorkoutActivityEndDate": "workoutActivity.endDate", "WorkoutActivitySumQuantity": "workoutActivity.sumQuantity",
    "WorkoutActivityMinimumQuantity": "workoutActivity.minimumQuantity",
    "WorkoutActivityMaximumQuantity": "workoutActivity.maximumQuantity",
    "WorkoutActivityAverageQuantity": "workoutActivity.averageQuantity",
    "ECGClassification": "classification", "ECGSymptomsStatus": "symptomsStatus",
    "ClinicalRecordFHIRResourceIdentifier": "FHIRResource.identifier",
    "ClinicalRecordFHIRResourceType": "FHIRResource.resourceType",
    "CDATitle": "document.title", "CDAPatientName": "document.patientName", "CDAAuthorName": "document.authorName",
    "CDACustodianName": "document.custodianName",
}
DEVICE = {
    "HardwareVersion": "hardware", "FirmwareVersion": "firmware", "SoftwareVersion": "software",
    "UDIDeviceIdentifier": "UDI_device_identifier",
}
FIXED = {
    "HKErrorDomain": ("com.apple.healthkit", "The domain of HealthKit's errors."),
    "HKDetailedCDAValidationErrorKey": ("HKDetailedCDAValidationError", "Where an error's user information holds what a CDA document violates."),
    "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent": ("HKDataTypeIdentifierMedicationDoseEvent", "The name of the dose event type."),
    "HKUserAnnotatedMedicationPredicateKeyPathHasSchedule": ("hasSchedule", "The key path of whether a medication has a schedule."),
    "HKUserAnnotatedMedicationPredicateKeyPathIsArchived": ("isArchived", "The key path of whether a medication is archived."),
}
# Declared by hand beside the types they serve.
ELSEWHERE = {"HKSourceRevisionAnyVersion", "HKSourceRevisionAnyProductType", "HKSourceRevisionAnyOperatingSystem",
    "HKObjectQueryNoLimit", "HKAnchoredObjectQueryNoAnchor", "HKUnitMolarMassBloodGlucose"}

keys = {}
with open(sys.argv[2], encoding="utf-8") as handle:
    for name, raw, observed in csv.reader(handle, delimiter="\t"):
        keys[name] = (raw, observed == "observed")

def constant(name):
    """Raw string and comment of a string constant."""
    if name in FIXED:
        return FIXED[name]
    if name.startswith("HKMetadataKey"):
        short = name.removeprefix("HKMetadataKey")
        raw, observed = keys[short]
        note = "" if observed else " Its raw string was never observed in the original; this one is chosen."
        return raw, f"The metadata key of {words(short)}.{note}"
    if name.startswith("HKPredicateKeyPath"):
        short = name.removeprefix("HKPredicateKeyPath")
        return KEY_PATHS.get(short, short[0].lower() + short[1:]), f"The key path of {words(short)} in a predicate."
    for prefix, of in (("HKSampleSortIdentifier", "samples"), ("HKWorkoutSortIdentifier", "workouts")):
        if name.startswith(prefix):
            short = name.removeprefix(prefix)
            return short[0].lower() + short[1:], f"Sorts {of} by {words(short)}."
    if name.startswith("HKDevicePropertyKey"):
        short = name.removeprefix("HKDevicePropertyKey")
        return DEVICE.get(short, short[0].lower() + short[1:]), f"The device property {words(short)}."
    if "TypeIdentifier" in name:
        return name, f"The name of the type {words(re.sub('^HK(DataType|Type)?|(Type)?Identifier', '', name))}."
    raise SystemExit(f"no rule for the constant {name}")

with open(os.path.join(KIT, "Enumerations", "GENERATED-Constants.swift"), "w", encoding="utf-8") as out:
    out.write(HEAD.rstrip("\n") + "\n")
    for name in sorted(p for k, p, _, _ in table if k == "var" and p not in ELSEWHERE):
        raw, comment = constant(name)
        out.write(f"\n/// {comment}\npublic let {name}: String = \"{raw}\"\n")

# --- tests -----------------------------------------------------------------------------------------

with open(os.path.join(TESTS, "Enumerations", "GENERATED-RawValueTests.swift"), "w", encoding="utf-8") as out:
    wanted = sum(1 for _, _, raw, _ in table if raw)
    out.write(HEAD + "import HealthKit\nimport Testing\n\n")
    out.write(f"/// Every raw value of the table of public symbols: {wanted}.\n@Suite struct RawValueTests {{\n")
    compared = 0
    for path in enumerations:
        if path in left_out:
            continue
        out.write(f"    @Test func rawValuesOf{path.replace('.', '')}() {{\n")
        for raw, case in sorted(cases[path]):
            out.write(f"        expect({path}.{escaped(case)}, {raw})\n")
            compared += 1
        for older, newer in OTHER_NAMES.get(path, []):
            out.write(f"        #expect({path}.{older} == .{newer})\n")
        out.write("    }\n\n")
    for structure in ("HKQueryOptions", "HKStatisticsOptions"):
        out.write(f"    @Test func rawValuesOf{structure}() {{\n")
        for kind, path, raw, _ in table:
            if kind == "type.property" and path.startswith(structure + ".") and raw:
                out.write(f"        expect({path}, {raw})\n")
                compared += 1
        out.write("    }\n\n")
    if compared != wanted and not left_out:
        raise SystemExit(f"{wanted} symbols have a raw value, {compared} are compared")
    out.write("""    private func expect<Value: RawRepresentable & Equatable>(_ value: Value, _ raw: Int)
    where Value.RawValue: BinaryInteger {
        #expect(value.rawValue == Value.RawValue(raw))
        #expect(Value(rawValue: Value.RawValue(raw)) == value)
    }

    private func expect(_ type: HKObjectType?, _ identifier: String) {
        #expect(type?.identifier == identifier)
    }

""")
    out.write("    /// Every name of a type is known to the catalog under that very string.\n    @Test func typeIdentifiers() {\n")
    for structure, factory in (("HKQuantityTypeIdentifier", "quantityType"), ("HKCategoryTypeIdentifier", "categoryType"),
            ("HKCharacteristicTypeIdentifier", "characteristicType"), ("HKCorrelationTypeIdentifier", "correlationType"),
            ("HKDocumentTypeIdentifier", "documentType"), ("HKClinicalTypeIdentifier", "clinicalType")):
        for kind, path, _, _ in table:
            if kind == "type.property" and path.startswith(structure + "."):
                name = path.split(".")[1]
                out.write(f"        expect(HKObjectType.{factory}(forIdentifier: .{name}), \"{identifier_raw(structure, name)}\")\n")
    out.write("    }\n}\n")

with open(os.path.join(TESTS, "Enumerations", "GENERATED-RawStringTests.swift"), "w", encoding="utf-8") as out:
    out.write(HEAD + "import HealthKit\nimport Testing\n\n")
    out.write("/// Every string by which archives, other programs and stores know a name of the module.\n")
    out.write("@Suite struct RawStringTests {\n")
    for structure in IDENTIFIERS:
        out.write(f"    @Test func rawStringsOf{structure}() {{\n")
        for kind, path, _, _ in table:
            if kind == "type.property" and path.startswith(structure + "."):
                name = path.split(".")[1]
                out.write(f"        #expect({structure}.{escaped(name)}.rawValue == \"{identifier_raw(structure, name)}\")\n")
        out.write("    }\n\n")
    constants = sorted(p for k, p, _, _ in table if k == "var" and p not in ELSEWHERE)
    groups = collections.OrderedDict((prefix, []) for prefix in ("HKMetadataKey", "HKPredicateKeyPath", ""))
    for name in constants:
        groups[next(prefix for prefix in groups if name.startswith(prefix))].append(name)
    titles = {"HKMetadataKey": "metadataKeys", "HKPredicateKeyPath": "predicateKeyPaths", "": "otherConstants"}
    for index, (prefix, names) in enumerate(groups.items()):
        out.write(f"    @Test func {titles[prefix]}() {{\n")
        for name in names:
            out.write(f"        #expect({name} == \"{constant(name)[0]}\")\n")
        out.write("    }\n" + ("\n" if index + 1 < len(groups) else ""))
    out.write("}\n")

written = [p for p in enumerations if p not in left_out]
print(f"{len(written)} enumerations, {sum(len(cases[p]) for p in written)} cases")
if left_out:
    print("left out until their class is declared:", ", ".join(left_out))
