/// `export_cda.xml`: the clinical document beside the data, with a few vitals. As telephones write it, what
/// follows its end is a second root: it is not XML.
struct GeneratedClinicalDocument {
    let clock: GeneratorClock
    let hasTwoRoots: Bool

    var text: String {
        let time = DateText.print(Double(clock.exportSecond), offset: clock.offset)
            .replacing("-", with: "", maxReplacements: 2).replacing(":", with: "").replacing(" ", with: "", maxReplacements: 1)
            .replacing(" ", with: "")
        let vitals = """
            <component>
             <section>
              <code code="8716-3" codeSystem="2.16.840.1.113883.6.1" displayName="Vital signs"/>
              <entry typeCode="DRIV">
               <organizer classCode="CLUSTER" moodCode="EVN">
                <component>
                 <observation classCode="OBS" moodCode="EVN">
                  <code code="8867-4" codeSystem="2.16.840.1.113883.6.1" displayName="Heart rate"/>
                  <text><sourceName>Health</sourceName><value>61</value><type>HKQuantityTypeIdentifierHeartRate</type><unit>count/min</unit></text>
                  <effectiveTime><low value="\(time)"/><high value="\(time)"/></effectiveTime>
                  <value xsi:type="PQ" value="61" unit="/min"/>
                 </observation>
                </component>
               </organizer>
              </entry>
             </section>
            </component>

            """
        return """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
             <realmCode code="US"/>
             <title>Health Data Export</title>
             <effectiveTime value="\(time)"/>
            \(hasTwoRoots ? "</ClinicalDocument>\n" + vitals : vitals + "</ClinicalDocument>\n")
            """
    }
}
