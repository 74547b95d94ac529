//! Which of 32 workers does what in a round, by the banks of shared memory.

use isobar_core::kernel::WARP;

/// What a worker does in a round: the target becomes the addend and the products, added one after the other, or the
/// negative inverse of the addend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) target: usize,
    pub(super) addend: usize,
    pub(super) products: Vec<[usize; 2]>,
    pub(super) inverts: bool,
}

/// The banks of shared memory, as wide as an entry, and as many workers who read or write at a time.
pub(super) const BANKS: usize = 8;

/// Who does what in a round: workers of different teams change places, and products their factors, where a team then
/// wants fewer different entries of one bank.
pub(super) fn workers(round: &[Slot]) -> [Option<Slot>; WARP] {
    let mut seats: [Option<Slot>; WARP] = std::array::from_fn(|worker| round.get(worker).cloned());
    let products = round.iter().map(|slot| slot.products.len()).max().unwrap_or(0);
    let waits = |seats: &[Option<Slot>; WARP], team: usize| waits(&seats[team * BANKS..(team + 1) * BANKS], products);
    let mut now: [usize; WARP / BANKS] = std::array::from_fn(|team| waits(&seats, team));
    for one in 0..WARP {
        let team = one / BANKS;
        for other in (team + 1) * BANKS..WARP {
            let second = other / BANKS;
            seats.swap(one, other);
            let then = [waits(&seats, team), waits(&seats, second)];
            if then[0] + then[1] < now[team] + now[second] {
                [now[team], now[second]] = then;
            } else {
                seats.swap(one, other);
            }
        }
    }
    seats
}

/// Where idle workers write, of the entries from `first` on: each to one of its own, in a bank that no other worker of
/// its team writes to, as long as there is one.
pub(super) fn idle_targets(seats: &[Option<Slot>; WARP], first: usize) -> [usize; WARP] {
    let mut targets = [0; WARP];
    for (team, seats) in seats.chunks(BANKS).enumerate() {
        let mut banks: Vec<usize> = (0..BANKS).collect();
        // The banks that are written to go last.
        banks.sort_by_key(|&bank| seats.iter().flatten().any(|slot| slot.target % BANKS == bank));
        let idle = (0..BANKS).filter(|&worker| seats[worker].is_none());
        for (worker, bank) in idle.zip(banks) {
            targets[team * BANKS + worker] = first + team * BANKS + bank;
        }
    }
    targets
}

/// How long a team is at its accesses: at each, the bank of which it wants the most entries tells; an entry that
/// several want is read once.
fn waits(team: &[Option<Slot>], products: usize) -> usize {
    let of_access = |place: &dyn Fn(&Slot) -> usize| {
        let mut wanted = [0_usize; BANKS];
        let mut seen = [usize::MAX; BANKS];
        for (number, slot) in team.iter().enumerate() {
            let place = slot.as_ref().map_or(0, place);
            if !seen[..number].contains(&place) {
                wanted[place % BANKS] += 1;
            }
            seen[number] = place;
        }
        wanted.into_iter().max().unwrap_or(0)
    };
    let factor = |product: usize, side: usize| {
        of_access(&|slot: &Slot| slot.products.get(product).map_or(0, |factors| factors[side]))
    };
    let products: usize = (0..products).map(|product| factor(product, 0) + factor(product, 1)).sum();
    of_access(&|slot| slot.target) + of_access(&|slot| slot.addend) + products
}
