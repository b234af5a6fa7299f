import HealthEngine
import HealthFiles
import HealthModel

/// Writes any object as its element.
enum ObjectElementWriter {
    /// The element; `nil` for objects that the format cannot hold.
    static func write(
        _ item: ExportRun.Planned, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement? {
        let object = item.object
        switch object.body {
        case .workout(let body):
            let routes = item.routes.map { route, path, _ in
                path.map { WorkoutRouteWriter.write(route, path: $0, style, &tally) }
                    ?? WorkoutRouteWriter.writeInline(route, style, &tally)
            }
            return WorkoutWriter.write(object, body, routes: routes, style, &tally)
        case .activitySummary(let body): return ActivitySummaryWriter.write(object, body, &tally)
        // Readers do not accept a correlation without members.
        case .none: return object.members.isEmpty ? nil : CorrelationWriter.write(object, style, &tally)
        case .archived(let element): return element
        case .document(let document): return write(item, document, style, &tally)
        }
    }

    private static func write(
        _ item: ExportRun.Planned, _ document: DocumentBody, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement? {
        let object = item.object
        guard let identifier = style.dictionaries.type(object.type)?.identifier else { return nil }
        switch identifier {
        case AudiogramReader.identifier: return AudiogramWriter.write(object, document, style, &tally)
        case VisionPrescriptionReader.identifier:
            return VisionPrescriptionWriter.write(object, document, attachments: item.attachments, style, &tally)
        case _ where ClinicalRecordType.contains(identifier):
            return ClinicalRecordWriter.write(object, document, path: item.path, style, &tally)
        default: return nil
        }
    }
}

/// Writes an activity summary as an `ActivitySummary` element: the counterpart of ``ActivitySummaryReader``.
enum ActivitySummaryWriter {
    static func write(
        _ object: ObjectRecord, _ body: ActivitySummaryBody, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "ActivitySummary")
        let day = CivilDate.dayNumber(year: body.year, month: body.month, day: body.day)
        element.append("dateComponents", LocalClock.dayText(number: day))
        let energy = body.activeEnergyBurned ?? body.activeEnergyBurnedGoal
        element.append("activeEnergyBurned", text(body.activeEnergyBurned, in: energy?.unit, &tally))
        element.append("activeEnergyBurnedGoal", text(body.activeEnergyBurnedGoal, in: energy?.unit, &tally))
        element.append("activeEnergyBurnedUnit", energy?.unit)
        element.append("appleMoveTime", text(body.appleMoveTime, in: "min", &tally))
        element.append("appleMoveTimeGoal", text(body.appleMoveTimeGoal, in: "min", &tally))
        element.append("appleExerciseTime", text(body.appleExerciseTime, in: "min", &tally))
        element.append("appleExerciseTimeGoal", text(body.appleExerciseTimeGoal, in: "min", &tally))
        element.append("appleStandHours", text(body.appleStandHours, in: "count", &tally))
        element.append("appleStandHoursGoal", text(body.appleStandHoursGoal, in: "count", &tally))
        element.append(object.metadata, &tally)
        return element
    }

    /// The number in the unit that the archive uses for it; `nil` if it cannot be converted.
    private static func text(_ quantity: QuantityRecord?, in unit: String?, _ tally: inout ExportTally) -> String? {
        guard let quantity else { return nil }
        guard let unit, unit != quantity.unit else { return DecimalText.print(quantity.value) }
        guard let convert = UnitConversion(between: quantity.unit, and: unit) else {
            tally.report("value of an activity summary in an incompatible unit, left out")
            return nil
        }
        return DecimalText.print(convert(quantity.value))
    }
}

/// Writes a correlation with its members, which are also in the archive on their own.
enum CorrelationWriter {
    static func write(_ object: ObjectRecord, _ style: RecordStyle, _ tally: inout ExportTally) -> ArchivedElement? {
        guard let type = style.dictionaries.type(object.type) else { return nil }
        var element = ArchivedElement(name: "Correlation")
        element.append("type", RecordStyle.identifier(type))
        element.appendFrame(of: object, style)
        element.append(object.metadata, excluding: [CorrelationMember.entryKey, MemberOrder.key], &tally)
        // Unknown content of members, equal keys in reverse order.
        var others = Dictionary(
            grouping: object.metadata.entries.reversed().compactMap(CorrelationMember.init), by: \.key)
        for (member, type) in MemberOrder.ordered(object.members, object.metadata, style.dictionaries) {
            var plain = member
            plain.metadata = CorrelationMember.known(member.metadata)
            guard var child = SampleElementWriter.write(plain, style) else { continue }
            if !others.isEmpty { others[CorrelationMember.Key(member, type)]?.popLast()?.complete(&child) }
            element.children.append(child)
        }
        tally.report(
            "unknown part of a correlation's deleted member, left out",
            count: others.values.reduce(0) { $0 + $1.count })
        return element
    }
}

/// Writes a member of a correlation as a `Record` element, with the content that ``RecordWriter`` writes for a row.
enum SampleElementWriter {
    static func write(_ sample: SampleRecord, _ style: RecordStyle) -> ArchivedElement? {
        guard let type = style.dictionaries.type(sample.type) else { return nil }
        var element = ArchivedElement(name: "Record")
        element.append("type", RecordStyle.identifier(type))
        element.appendOrigin(sample.revision, sample.device)
        element.append("unit", sample.unit.isEmpty ? nil : sample.unit)
        element.append("creationDate", sample.creation.map { style.date($0) })
        element.append("startDate", style.date(sample.start))
        element.append("endDate", style.date(sample.end))
        element.append(
            "value",
            type.kind == .quantity ? DecimalText.print(sample.value) : CategoryValueWriter.text(sample.value, type))
        // Already noted for the sample itself.
        var ignored = ExportTally()
        element.append(sample.metadata, &ignored)
        return element
    }
}

/// Writes the `Me` element: the counterpart of ``PersonReader``.
enum PersonWriter {
    private static let prefix = "HKCharacteristicTypeIdentifier"

    static func write(_ profile: Profile, metadata: [String: String]) -> ArchivedElement {
        var element = ArchivedElement(name: HeaderMetadata.person)
        func add(_ name: String, _ value: String?, otherwise: String? = nil) {
            element.append(prefix + name, value ?? metadata["\(HeaderMetadata.person).\(prefix)\(name)"] ?? otherwise)
        }
        add("DateOfBirth", profile.dateOfBirth.map(CharacteristicText.print), otherwise: "")
        add(
            "BiologicalSex", profile.biologicalSex.map(CharacteristicNames.sex.text), otherwise: "HKBiologicalSexNotSet"
        )
        add("BloodType", profile.bloodType.map(CharacteristicNames.bloodType.text), otherwise: "HKBloodTypeNotSet")
        add(
            "FitzpatrickSkinType", profile.fitzpatrickSkinType.map(CharacteristicNames.skinType.text),
            otherwise: "HKFitzpatrickSkinTypeNotSet")
        add("CardioFitnessMedicationsUse", profile.cardioFitnessMedicationsUse.map { String($0) }, otherwise: "None")
        // Apple's archives do not have these.
        add("WheelchairUse", profile.wheelchairUse.map(CharacteristicNames.wheelchairUse.text))
        add("ActivityMoveMode", profile.activityMoveMode.map(CharacteristicNames.moveMode.text))
        HeaderMetadata.complete(&element, from: metadata)
        return element
    }
}
