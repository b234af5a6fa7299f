import HealthModel
import HealthStorage

extension PostgreSQLTransaction: LinkRangeTransaction {
    func hasLinks(_ owner: Int64) throws -> Bool {
        // The owner is new if its number was allocated by this transaction.
        if isAllocatedHere(owner), !newOwners.contains(owner) { return false }
        let found = try rows("SELECT 1::int8 FROM link_run WHERE person = $1 AND owner = $2 LIMIT 1", [person, owner])
        return found.count > 0
    }

    func insert(_ run: LinkRange) throws {
        newOwners.insert(run.owner)
        linkWindow = LinkWindow()
        try write { $0.runs[PendingRows.RunKey(run)] = run }
    }

    func delete(_ run: LinkRange) throws {
        linkWindow = LinkWindow()
        guard pendingRows.runs.removeValue(forKey: PendingRows.RunKey(run)) == nil else { return }
        try write(
            "DELETE FROM link_run WHERE person = $1 AND owner = $2 AND first_member = $3",
            [person, run.owner, run.first])
    }
}
