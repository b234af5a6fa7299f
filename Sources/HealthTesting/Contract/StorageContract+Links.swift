import HealthModel
import HealthStorage

extension StorageContract {
    func checkLinks() throws {
        let storage = try makeStorage()
        let links = [
            ContractRows.link(1, 9), ContractRows.link(1, 4),
            ContractRows.link(1, 5, memberType: ContractRows.otherPaged), ContractRows.link(2, 4),
            ContractRows.link(3, 4, ownerType: ContractRows.otherObject), ContractRows.link(2, 1),
        ]
        try storage.write { transaction in
            for link in links + links { try transaction.addLink(link) }
        }
        try storage.read { snapshot in
            try expect(
                try snapshot.links(ofOwner: 1) == [links[1], links[2], links[0]], "links of an owner by member")
            try expect(
                try snapshot.links(ofMember: 4) == [links[1], links[3], links[4]], "links of a member by owner")
            try expect(try snapshot.links(ofOwner: 4).isEmpty, "links of what owns nothing")
            try expect(try snapshot.links(ofMember: 2).isEmpty, "links of what nobody owns")
            try expect(
                try snapshot.linkedMembers(of: ContractRows.paged, ownerType: ContractRows.object) == [1, 4, 9],
                "members by types, each once")
            try expect(
                try snapshot.linkedMembers(of: ContractRows.paged, ownerType: ContractRows.otherObject) == [4],
                "members by another owner's type")
            try expect(
                try snapshot.linkedMembers(of: ContractRows.object, ownerType: ContractRows.paged).isEmpty,
                "members by types that have none")
        }
        try checkLinkChanges(in: storage, links)
    }

    private func checkLinkChanges(in storage: any HealthStorage, _ links: [StoredLink]) throws {
        try storage.write { transaction in
            // Owner 1 has 5 already: the two become one.
            try transaction.replaceMember(4, with: 5)
            try transaction.replaceMember(77, with: 78)
            try expect(try transaction.links(ofMember: 4).isEmpty, "the member replaced")
            try expect(
                try transaction.links(ofMember: 5)
                    == [ContractRows.link(1, 5), ContractRows.link(2, 5), ContractRows.link(3, 5, ownerType: ContractRows.otherObject)],
                "the successor's links")
            try expect(
                try transaction.linkedMembers(of: ContractRows.otherPaged, ownerType: ContractRows.object).isEmpty,
                "members by types after a replacement")
            try transaction.replaceMember(5, with: 5)
            try expect(try transaction.links(ofMember: 5).count, equals: 3, "a member replaced by itself")
            try transaction.removeLinks(ofMember: 9)
            try expect(try transaction.links(ofOwner: 1) == [ContractRows.link(1, 5)], "links left of an owner")
            try transaction.removeLinks(ofMember: 9)
        }
        try storage.write { transaction in
            // Object 2 owns 1 and 5 and is owned by 8.
            try transaction.putObject(ContractRows.object(2))
            try transaction.addLink(ContractRows.link(8, 2, memberType: ContractRows.object))
            try transaction.removeObject(sequence: 2)
        }
        try storage.read { snapshot in
            try expect(try snapshot.links(ofOwner: 2).isEmpty, "links a removed object had")
            try expect(try snapshot.links(ofMember: 2).isEmpty, "links to a removed object")
            try expect(try snapshot.links(ofOwner: 8).isEmpty, "what an owner has of a removed object")
            try expect(try snapshot.links(ofMember: 1).isEmpty, "what a removed object owned")
            try expect(
                try snapshot.linkedMembers(of: ContractRows.paged, ownerType: ContractRows.object) == [5],
                "members by types in the end")
        }
    }
}
