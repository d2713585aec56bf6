import Calendar
import Catalog
import Matching
import Messages
import Queue

extension Services {
    /// `status`: what this worker holds and what it had to put aside.
    func status(_ call: ServiceCall) -> JobOutput {
        let content = call.content
        let catalogs = content.catalogs.mapValues { JSONValue.integer($0.content.count) }
        let putAside = content.putAside.suffix(Limits.putAsideShown).map { record in
            JSONValue.object([
                "sequence": .integer(record.sequence), "kind": .string(record.kind),
                "reason": .string(record.reason),
            ])
        }
        let json = JSONValue.object([
            "role": .string("worker"), "name": .string(settings.machine.name),
            "position": .string(content.position.map { "\($0)" } ?? "none"),
            "catalogs": .object(catalogs),
            "printVersion": .string(FeaturePrint.version),
            "comparedPrintVersion": .string(content.printVersion ?? FeaturePrint.version),
            "types": .array(content.types.all.map { .string($0.name) }),
            "accounts": .integer(Set(content.stores.values.flatMap(\.keys)).count),
            "zoneData": .string(settings.zoneData),
            "zoneDataDeclared": .string(content.zoneData ?? "none"),
            "putAside": .integer(content.putAside.count),
            "putAsideLast": .array(Array(putAside)),
        ])
        let key = [1] + Array(settings.machine.name.utf8)
        return call.output([MergeItem(sortKey: key, unionKey: key, json: json.canonical())])
    }
}
