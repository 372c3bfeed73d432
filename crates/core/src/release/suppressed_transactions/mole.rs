//! Moles as cases to look at: an itemset of public items that is in too few transactions, or whose transactions give a
//! private item away. Counted literally, from the released transactions.

use crate::data::{Item, Transactions};
use crate::lab::{Decimal, Witness, counted};

/// h, k and p, and h as an exact share.
#[derive(Clone, Copy)]
pub(super) struct MoleLimits {
    pub h: f64,
    pub share: Decimal,
    pub k: usize,
    pub p: usize,
}

/// Beyond so many items, not every part of a mole is looked at.
const MOST_ITEMS: usize = 12;

/// Each of `moles` as the smallest part of it that is one, once.
pub(super) fn witnesses(
    release: &Transactions,
    private: &[bool],
    limits: MoleLimits,
    moles: Vec<Vec<Item>>,
) -> Vec<Witness> {
    let mut found: Vec<Mole> = Vec::with_capacity(moles.len());
    for mole in moles {
        let smallest = parts(&mole).into_iter().find_map(|part| Mole::of(release, private, limits, part));
        found.extend(smallest.filter(|smallest| found.iter().all(|known| known.set != smallest.set)));
    }
    found.iter().map(|mole| mole.witness(release, limits)).collect()
}

/// The subsets, smallest first; of a large set the set alone.
fn parts(set: &[Item]) -> Vec<Vec<Item>> {
    if set.len() > MOST_ITEMS {
        return vec![set.to_vec()];
    }
    let part = |bits: u32| set.iter().enumerate().filter(move |(place, _)| bits >> place & 1 == 1);
    let mut parts: Vec<Vec<Item>> =
        (0..1 << set.len()).map(|bits| part(bits).map(|(_, &item)| item).collect()).collect();
    parts.sort_by_key(Vec::len);
    parts
}

struct Mole {
    set: Vec<Item>,
    /// The transactions with the set, ascending.
    rows: Vec<usize>,
    /// The private item that most of them have, and how many have it.
    private: Option<(Item, usize)>,
    /// Whether too many have it; else too few transactions have the set.
    gives_away: bool,
}

impl Mole {
    /// None where the set keeps both limits.
    fn of(release: &Transactions, private: &[bool], limits: MoleLimits, set: Vec<Item>) -> Option<Self> {
        let holds = |row: &[Item]| set.iter().all(|item| row.contains(item));
        let rows: Vec<usize> =
            release.rows().enumerate().filter(|(_, row)| holds(row)).map(|(index, _)| index).collect();
        let mut counts = vec![0usize; release.items()];
        for row in release.rows().filter(|row| holds(row)) {
            row.iter().filter(|&&item| private[item as usize]).for_each(|&item| counts[item as usize] += 1);
        }
        let most = (0..).zip(counts).max_by_key(|&(item, count)| (count, item)).filter(|&(_, count)| count > 0);
        let rare = rows.len() < limits.k;
        let gives_away = !rare && most.is_some_and(|(_, with)| with as u64 > limits.share.floor_of(rows.len() as u64));
        (rare || gives_away).then_some(Self { set, rows, private: most, gives_away })
    }

    fn witness(&self, release: &Transactions, limits: MoleLimits) -> Witness {
        let label = |item: Item| release.labels[item as usize].as_str();
        let MoleLimits { h, k, p, .. } = limits;
        let support = self.rows.len();
        let names: Vec<&str> = self.set.iter().map(|&item| label(item)).collect();
        let is_in = format!("{{{}}} is in {}", names.join(", "), counted(support, "transaction"));
        let of = format!("({h}, {k}, {p})-coherence");
        let witness = match self.private.filter(|_| self.gives_away) {
            None => Witness::of(of, format!("{is_in}, fewer than {k}")).number(support as f64).against(k as f64),
            Some((item, with)) => Witness::of(of, format!("{is_in}, {with} of them with `{}`: above {h}", label(item)))
                .private_item(label(item))
                .number(with as f64 / support as f64)
                .against(h),
        };
        witness.itemset(names).among(self.rows.iter().copied())
    }
}
