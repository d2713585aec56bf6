import Calendar
import Journal
import Messages

/// What of a change no replica will apply, as the change itself says it.
///
/// The replicas find the same when they apply it; the journal says it in the acknowledgement,
/// without waiting for any of them.
enum UnappliedParts {
    /// The bodies of the acknowledgements of a group that have one, by ticket.
    static func bodies(
        of group: [(ticket: Int, entry: JournalEntry)], _ outcomes: some Sequence<AppendOutcome>
    ) -> [Int: [UInt8]] {
        var bodies: [Int: [UInt8]] = [:]
        for (change, outcome) in zip(group, outcomes) {
            switch outcome {
            case .stored, .duplicate:
                let body = acknowledgement(of: change.entry.record).bytes
                if !body.isEmpty { bodies[change.ticket] = body }
            case .refused, .accessRequired: break
            }
        }
        return bodies
    }

    /// What the acknowledgement of a record says.
    static func acknowledgement(of record: Record) -> ChangeAcknowledgement {
        guard let kind = record.kind, let store = kind.store, !kind.statesAccess else {
            return ChangeAcknowledgement()
        }
        return acknowledgement(store.definition, record)
    }

    private static func acknowledgement<Definition: StoreDefinition>(
        _: Definition.Type, _ record: Record
    ) -> ChangeAcknowledgement {
        var answer = ChangeAcknowledgement()
        guard let change = try? StoreChange<Definition>(parsing: record.body) else { return answer }
        if !ICalendar.knows(zone: change.zone) {
            answer.add(
                .init(
                    place: nil, code: CalendarError.Code.zoneUnknown.rawValue,
                    reason: "zone \(change.zone.prefix(64)): the one before stays"))
        }
        for (place, text) in change.put.enumerated() {
            examine(Array(text.utf8), place, change.zone, Definition.kind.rules, &answer)
        }
        return answer
    }

    private static func examine(
        _ text: [UInt8], _ place: Int, _ zone: String, _ rules: any StoreRules.Type,
        _ answer: inout ChangeAcknowledgement
    ) {
        let reading: (entries: [StoreEntry], refused: [CalendarError])
        do throws(CalendarError) {
            reading = try rules.read(text, bytesMax: Limits.resourceBytesMax)
        } catch {
            answer.add(.init(place: place, error))
            return
        }
        for error in reading.refused { answer.add(.init(place: place, error)) }
        if reading.entries.isEmpty && reading.refused.isEmpty {
            let nothing = CalendarError(.entryMissing, "the text holds no event")
            answer.add(.init(place: place, nothing))
        }
        for entry in reading.entries {
            for fault in rules.faults(of: entry, zone: zone) {
                answer.add(
                    .init(
                        place: place, id: fault.uid, code: fault.code.rawValue,
                        reason: fault.context))
            }
        }
    }
}

extension ChangeAcknowledgement.Part {
    fileprivate init(place: Int, _ error: CalendarError) {
        self.init(place: place, code: error.code.rawValue, reason: error.context)
    }
}
