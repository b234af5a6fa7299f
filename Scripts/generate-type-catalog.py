#!/usr/bin/env python3
"""Generates Sources/HealthModel/Types/GENERATED-TypeCatalog.swift, the catalog of known data types.

usage: Scripts/generate-type-catalog.py [FOLDER]

Writes the file in place or, given a folder, into that folder. Reads Scripts/tables/quantity-types.tsv (name,
canonical unit, aggregation style) and category-types.tsv (name, enumeration of the values). Every type has the
code in Scripts/tables/type-codes.tsv: stores contain these codes, so a released code never changes. A type that
has none yet gets the next one and is appended to that file.
"""
import csv, os, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLES = os.path.join(ROOT, "Scripts", "tables")
SOURCES = os.path.join(ROOT, "Sources", "HealthModel", "Types")
FOLDER = sys.argv[1] if len(sys.argv) > 1 else None
OUT = os.path.join(FOLDER or SOURCES, "GENERATED-TypeCatalog.swift")

CAPITALS = {"vo2Max": "VO2Max", "uvExposure": "UVExposure"}
NOT_SHAREABLE = set("""appleExerciseTime appleMoveTime appleStandTime appleStandHour appleWalkingSteadiness
appleSleepingWristTemperature atrialFibrillationBurden walkingHeartRateAverage highHeartRateEvent
lowHeartRateEvent headphoneAudioExposureEvent hypertensionEvent""".split())
VALUES = {
    "HKCategoryValue": (0, 0), "HKCategoryValueAppetiteChanges": (0, 3), "HKCategoryValueAppleStandHour": (0, 1),
    "HKCategoryValueAppleWalkingSteadinessEvent": (1, 4), "HKCategoryValueAudioExposureEvent": (1, 1),
    "HKCategoryValueCervicalMucusQuality": (1, 5), "HKCategoryValueContraceptive": (1, 7),
    "HKCategoryValueEnvironmentalAudioExposureEvent": (1, 1), "HKCategoryValueHeadphoneAudioExposureEvent": (1, 1),
    "HKCategoryValueLowCardioFitnessEvent": (1, 1), "HKCategoryValueMenstrualFlow": (1, 5),
    "HKCategoryValueOvulationTestResult": (1, 4), "HKCategoryValuePregnancyTestResult": (1, 3),
    "HKCategoryValuePresence": (0, 1), "HKCategoryValueProgesteroneTestResult": (1, 3),
    "HKCategoryValueSeverity": (0, 4), "HKCategoryValueSleepAnalysis": (0, 5), "HKCategoryValueVaginalBleeding": (1, 5),
    "HKCategoryValueMenopausalState": (1, 3),
}
UNITS = {"kcal/(kg*hr)": "kcal/hr·kg", "ml/(kg*min)": "mL/min·kg"}
OTHERS = [
    (2000, "correlation", ["HKCorrelationTypeIdentifierBloodPressure", "HKCorrelationTypeIdentifierFood"], False),
    (3000, "workout", ["HKWorkoutTypeIdentifier"], True),
    (4000, "activitySummary", ["HKActivitySummaryTypeIdentifier"], False),
    (5000, "characteristic", ["HKCharacteristicTypeIdentifier" + n for n in (
        "ActivityMoveMode BiologicalSex BloodType DateOfBirth FitzpatrickSkinType WheelchairUse"
        " CardioFitnessMedicationsUse ReferenceSex").split()], False),
    (6000, "series", ["HKWorkoutRouteTypeIdentifier", "HKDataTypeIdentifierHeartbeatSeries"], True),
    (7000, "document", [
        "HKDataTypeIdentifierElectrocardiogram", "HKDataTypeIdentifierAudiogram", "HKVisionPrescriptionTypeIdentifier",
        "HKDataTypeStateOfMind", "HKScoredAssessmentTypeIdentifierGAD7", "HKScoredAssessmentTypeIdentifierPHQ9",
        "HKDocumentTypeIdentifierCDA", "HKDataTypeIdentifierMedicationDoseEvent",
        "HKDataTypeIdentifierUserAnnotatedMedicationConcept", "HKClinicalTypeIdentifierAllergyRecord",
        "HKClinicalTypeIdentifierClinicalNoteRecord", "HKClinicalTypeIdentifierConditionRecord",
        "HKClinicalTypeIdentifierImmunizationRecord", "HKClinicalTypeIdentifierLabResultRecord",
        "HKClinicalTypeIdentifierMedicationRecord", "HKClinicalTypeIdentifierProcedureRecord",
        "HKClinicalTypeIdentifierVitalSignRecord", "HKClinicalTypeIdentifierCoverageRecord",
        "HKDataTypeIdentifierVerifiableClinicalRecord"], True),
]

def rows(name):
    with open(os.path.join(TABLES, name), encoding="utf-8") as handle:
        return list(csv.reader(handle, delimiter="\t"))

def raw(prefix, name):
    return prefix + CAPITALS.get(name, name[0].upper() + name[1:])

codes = {identifier: int(code) for identifier, code in rows("type-codes.tsv")}

def code(identifier, base):
    if identifier not in codes:
        taken = [c for c in codes.values() if base < c < base + 1000]
        codes[identifier] = max(taken, default=base) + 1
    return codes[identifier]

entries = []
for name, unit, style in rows("quantity-types.tsv")[1:]:
    identifier = raw("HKQuantityTypeIdentifier", name)
    share = "" if name not in NOT_SHAREABLE else ", isShareable: false"
    entries.append((code(identifier, 0), f'quantity({code(identifier, 0)}, "{identifier}", "{UNITS.get(unit, unit)}", .{style}{share}),'))
for name, values in rows("category-types.tsv")[1:]:
    identifier = raw("HKCategoryTypeIdentifier", name)
    low, high = VALUES[values]
    share = "" if name not in NOT_SHAREABLE else ", isShareable: false"
    entries.append((code(identifier, 1000), f'category({code(identifier, 1000)}, "{identifier}", {low}...{high}, "{values}"{share}),'))
for base, kind, names, share in OTHERS:
    for identifier in names:
        clinical = "Clinical" in identifier or "Electrocardiogram" in identifier
        entries.append((code(identifier, base), f'other({code(identifier, base)}, "{identifier}", .{kind}, isShareable: {"true" if share and not clinical else "false"}),'))
entries.sort()

with open(OUT, "w", encoding="utf-8") as out:
    out.write("// Generated by Scripts/generate-type-catalog.py (make generate). Do not edit.\n\nextension TypeCatalog {\n")
    out.write("    /// All known types, in ascending order of their codes.\n    package static let all: [TypeDescription] = quantities + categories + others\n\n")
    for name, prefix in (("quantities", "quantity("), ("categories", "category("), ("others", "other(")):
        out.write(f"    private static let {name}: [TypeDescription] = [\n")
        out.writelines(f"        {text}\n" for _, text in entries if text.startswith(prefix))
        out.write("    ]\n\n" if name != "others" else "    ]\n")
    out.write("}\n")
with open(os.path.join(FOLDER or TABLES, "type-codes.tsv"), "w", encoding="utf-8") as out:
    out.writelines(f"{i}\t{c}\n" for i, c in sorted(codes.items(), key=lambda item: item[1]))
