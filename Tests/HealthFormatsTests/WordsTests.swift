import Foundation
import HealthFormats
import HealthModel
import Testing

@Suite("Common names of types, activities and units")
struct WordsTests {
    @Test(
        "Names of the Health app lead to their types",
        arguments: [
            ("Blood Oxygen", "oxygenSaturation"), ("cardio fitness", "vo2Max"),
            ("exercise-minutes", "appleExerciseTime"),
            ("Cycle Tracking", "menstrualFlow"), ("restingEnergy", "basalEnergyBurned"),
            ("heart rate variability", "heartRateVariabilitySDNN"), ("Mindful Minutes", "mindfulSession"),
            ("headphone audio levels", "headphoneAudioExposure"), ("headphoneAudioLevel", "headphoneAudioExposure"),
            ("medication", "medicationDoseEvent"), ("MEDICATIONS", "medicationDoseEvent"),
            ("Walking + Running Distance", "distanceWalkingRunning"), ("Stand Hours", "appleStandHour"),
            ("Electrocardiograms (ECG)", "electrocardiogram"), ("caffeine", "dietaryCaffeine"),
            ("Vitamin C", "dietaryVitaminC"), ("saturated fat", "dietaryFatSaturated"), ("water", "dietaryWater"),
            ("Stair Speed: Down", "stairDescentSpeed"), ("Double Support Time", "walkingDoubleSupportPercentage"),
            ("Alcohol Consumption", "numberOfAlcoholicBeverages"), ("UV index", "uvExposure"),
            ("Environmental Sound Levels", "environmentalAudioExposure"), ("spotting", "intermenstrualBleeding"),
            ("Body and Muscle Ache", "generalizedBodyAche"), ("Anxiety Risk", "gad7"), ("step_counts", "stepCount"),
        ])
    func types(name: String, type: String) {
        #expect(TypeSynonyms.type(called: name)?.shortName == type)
    }

    @Test("Every name is of a type, of one only, and is not another type’s own")
    func table() {
        let names = Dictionary(grouping: TypeSynonyms.all, by: \.name)
        for (name, entries) in names {
            #expect(Set(entries.map(\.type)).count == 1, "\(name)")
            for entry in entries {
                #expect(TypeSynonyms.type(called: name)?.shortName == entry.type, "\(name) is \(entry.type)")
            }
        }
        #expect(TypeSynonyms.type(called: "mass") == nil && TypeSynonyms.type(called: "") == nil)
    }

    @Test(
        "Activities by common words",
        arguments: [
            ("run", ["running"]), ("Running", ["running"]), ("jog", ["running"]), ("bike", ["cycling"]),
            ("cycle", ["cycling"]), ("swim", ["swimming"]), ("hike", ["hiking"]), ("37", ["running"]),
            ("HKWorkoutActivityTypeYoga", ["yoga"]), ("hiit", ["highIntensityIntervalTraining"]),
            ("strength", ["functionalStrengthTraining", "traditionalStrengthTraining"]),
            ("functional strength training", ["functionalStrengthTraining"]), ("tennis", ["tennis"]), ("sleeping", []),
            ("Indoor Run", ["running"]), ("Outdoor Walk", ["walking"]), ("Indoor Cycle", ["cycling"]),
            ("Pool Swim", ["swimming"]), ("Open Water Swim", ["swimming"]), ("Rower", ["rowing"]),
            ("Stair Stepper", ["stairClimbing", "stepTraining"]), ("Multisport", ["swimBikeRun"]),
            ("mountain biking", ["cycling"]), ("trail run", ["running"]), ("aerobics", ["mixedCardio"]),
            ("Water Fitness", ["waterFitness"]), ("Water Polo", ["waterPolo"]), ("indoor", []),
            ("frisbee", ["discSports"]),
            ("scuba", ["underwaterDiving"]), ("Paddling", ["paddleSports"]), ("Karate", ["martialArts"]),
        ])
    func activities(word: String, names: [String]) {
        #expect(ValueNames.activities(called: word).compactMap(ValueNames.activity) == names)
    }

    @Test(
        "Units as people write them",
        arguments: [
            ("bpm", "count/min"), ("lbs", "lb"), ("km/h", "km/hr"), ("mph", "mi/hr"), ("°C", "degC"), ("° F", "degF"),
            ("Pounds", "lb"), ("kilometers", "km"), ("fl. oz.", "fl_oz_us"), ("miles/hour", "mi/hr"),
            ("mg/dl", "mg/dL"),
            ("percent", "%"), ("kg", "kg"), ("mmHg", "mmHg"), ("minutes", "min"), ("kJ", "kJ"), ("m", "m"),
        ])
    func units(text: String, unit: String) throws {
        #expect(try UnitExpression(words: text).string == unit)
    }

    @Test("Moles are of glucose only")
    func glucose() throws {
        let glucose = try #require(TypeSynonyms.type(called: "glucose"))
        for text in ["mmol/L", "mmol/l"] {
            let unit = try UnitExpression(words: text, of: glucose)
            let conversion = try #require(UnitConversion(between: unit.string, and: "mg/dL"))
            #expect(abs(conversion(5.5) - 99.0857) < 1e-3)
        }
        let amount = try UnitExpression(words: "mmol/L", of: TypeSynonyms.type(called: "weight"))
        let mass = try UnitExpression(parsing: "mg/dL")
        #expect(amount.string == "mmol/L" && !amount.isCompatible(with: mass))
        #expect(throws: (any Error).self) { try UnitExpression(words: "furlongs", of: nil) }
    }

    @Test("Every habit is of a unit")
    func habits() throws {
        for text in ["µg", "db", "ml/kg/min", "siemens", "units", "cups", "pints", "rpm", "breaths/min", "stone"] {
            #expect((try? UnitExpression(words: text)) != nil, "\(text)")
        }
    }

    @Test(
        "The region of a locale’s identifier",
        arguments: [
            ("de_DE", "km"), ("en_US", "mi"), ("en-US", "mi"), ("en_GB", "mi"), ("de_DE.UTF-8", "km"), ("en", "mi"),
            ("fr", "km"), ("en_DE", "km"), ("zh-Hans_CN", "km"), ("en-US-u-ms-metric", "km"),
            ("en_US@measure=metric", "km"), ("en_US@rg=dezzzz", "km"), ("es_419", "km"), ("C", nil), ("C.UTF-8", nil),
            ("POSIX", nil), ("", nil), ("en_001", nil), ("en_US_POSIX", "mi"),
        ])
    func regions(identifier: String, unit: String?) {
        let region = UnitRegion(localeIdentifier: identifier)
        #expect(region?.unit(of: "HKQuantityTypeIdentifierDistanceWalkingRunning") == unit)
    }
}
