import GRDB
import HealthModel
import HealthStorage

extension SQLiteTransaction {
    func addLink(_ link: StoredLink) throws {
        try addLinks([link])
    }

    func addLinks(_ links: [StoredLink]) throws {
        var rest = links[...]
        while let owner = rest.first?.owner {
            let own = rest.prefix { $0.owner == owner }
            rest = rest.dropFirst(own.count)
            let hasLinks = try hasLinks(owner)
            for run in LinkRun.runs(of: own) {
                if hasLinks { try merge(run) } else { try insert(run) }
            }
        }
    }

    func removeLinks(ofMember member: Int64) throws {
        for run in try linkRuns(ofMember: member) { try remove(member, from: run) }
    }

    func replaceMember(_ member: Int64, with successor: Int64) throws {
        guard member != successor else { return }
        for run in try linkRuns(ofMember: member) {
            try remove(member, from: run)
            try addLink(
                StoredLink(owner: run.owner, ownerType: run.ownerType, member: successor, memberType: run.memberType))
        }
    }

    /// Inserts a run of an owner that has links, which replaces its links to the same members.
    private func merge(_ run: LinkRun) throws {
        var run = run
        let before = run.first == .min ? run.first : run.first - 1
        for stored in try linkRuns(ofOwner: run.owner, in: before...run.last) {
            if stored.hasTypes(of: run), stored.contains(run.first), stored.contains(run.last) { return }
            var joined = stored
            if joined.append(run) {
                run = joined
                try delete(stored)
            } else if stored.last >= run.first {
                try delete(stored)
                for part in stored.without(run) { try insert(part) }
            }
        }
        try insert(run)
    }

    private func remove(_ member: Int64, from run: LinkRun) throws {
        try delete(run)
        var only = run
        (only.first, only.last) = (member, member)
        for part in run.without(only) { try insert(part) }
    }

    private func hasLinks(_ owner: Int64) throws -> Bool {
        try database.run("SELECT 1 FROM link_run WHERE owner = ? LIMIT 1") { statement in
            try statement.bind(owner, at: 1)
            return try statement.step()
        }
    }

    private func insert(_ run: LinkRun) throws {
        try database.run("INSERT INTO link_run (\(LinkRun.columns), reach) VALUES (?, ?, ?, ?, ?, ?)") { statement in
            try statement.bind(run.owner, at: 1)
            try statement.bind(run.first, at: 2)
            try statement.bind(run.last, at: 3)
            try statement.bind(Int64(run.ownerType.rawValue), at: 4)
            try statement.bind(Int64(run.memberType.rawValue), at: 5)
            try statement.bind(run.reach.rawValue, at: 6)
            try statement.execute()
        }
    }

    private func delete(_ run: LinkRun) throws {
        try database.run("DELETE FROM link_run WHERE owner = ? AND first_member = ?") { statement in
            try statement.bind(run.owner, at: 1)
            try statement.bind(run.first, at: 2)
            try statement.execute()
        }
    }
}
