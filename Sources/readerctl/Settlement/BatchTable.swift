import Ledger

/// A batch's figures in columns: the first to the left, the others to the right.
enum BatchTable {
    /// A line for each brand, and one for all.
    static func lines(_ totals: [BatchTotal]) -> [String] {
        var rows = [["", "sales", "amount", "tips", "refunds", "amount", "net"]]
        for row in BrandRow.rows(of: totals) { rows.append([row.brand.isEmpty ? "no brand" : row.brand] + cells(row)) }
        rows.append(["Total"] + cells(BrandRow.total(of: totals)))
        return aligned(rows)
    }

    /// Both sides, and what the host has more.
    static func comparison(ours: BatchSums, host: BatchSums) -> [String] {
        func cells(_ sums: BatchSums) -> [String] {
            [
                "\(sums.sales)", "\(SignedAmount(minorUnits: sums.salesAmount))", "\(sums.refunds)",
                "\(SignedAmount(minorUnits: sums.refundsAmount))", "\(SignedAmount(minorUnits: sums.net))",
            ]
        }
        return aligned([
            ["", "sales", "with tips", "refunds", "amount", "net"], ["Here"] + cells(ours), ["Host"] + cells(host),
            ["Host - here"] + cells(host - ours),
        ])
    }

    private static func cells(_ row: BrandRow) -> [String] {
        [
            "\(row.sales)", "\(SignedAmount(minorUnits: row.salesAmount))", "\(SignedAmount(minorUnits: row.tips))",
            "\(row.refunds)", "\(SignedAmount(minorUnits: row.refundsAmount))",
            "\(SignedAmount(minorUnits: row.net))",
        ]
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let gap = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + gap : gap + cell
            }.joined(separator: "  ")
        }
    }
}

/// Sales and refunds of one brand beside each other, in minor units.
struct BrandRow {
    var brand: String
    var sales = 0
    /// Without the tips.
    var salesAmount: Int64 = 0
    var tips: Int64 = 0
    var refunds = 0
    var refundsAmount: Int64 = 0

    var net: Int64 { salesAmount &+ tips &- refundsAmount }

    static func rows(of totals: [BatchTotal]) -> [BrandRow] {
        var rows: [BrandRow] = []
        for total in totals {
            if rows.last?.brand != total.cardBrand { rows.append(BrandRow(brand: total.cardBrand)) }
            rows[rows.count - 1].add(total)
        }
        return rows
    }

    static func total(of totals: [BatchTotal]) -> BrandRow {
        var row = BrandRow(brand: "")
        for total in totals { row.add(total) }
        return row
    }

    private mutating func add(_ total: BatchTotal) {
        switch total.kind {
        case .sale:
            sales &+= total.count
            salesAmount &+= total.amount
            tips &+= total.tip
        case .refund:
            refunds &+= total.count
            refundsAmount &+= total.amount &+ total.tip
        }
    }
}
