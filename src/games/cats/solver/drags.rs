//! The search space for fewest drags.
//!
//! A drag moves one piece anywhere it can go while the others stand still. Going further within a drag is free and taking a cat only ever
//! opens the board (for other colours at once, for locks by the count, and with `leave` by taking the shapes off), so a drag may
//! be thought to take every cat of its colour within reach. What is left to choose is where it ends; and nothing if it
//! leaves. A tandem of several colours may clear its own way: what it takes lets it go further. Moving a piece twice in a row is one drag, so it is never tried.
//!
//! **The bound.** Two colours together, the rest of the board ignored, need at least so many drags: found by the same search on the
//! smaller problem and kept for every pair of numbers met. Every drag belongs to one colour, so the numbers of a pair and of what is
//! left over add up, and with three or more colours half the sum of the pairs in a ring counts too.

use super::{
    colours::settle,
    layout::{Layout, NOWHERE, Places},
    steps::Steps,
};
use crate::{
    job::{Probe, Stop},
    search::{
        best_first::{Space, Successors},
        bits::Bits,
    },
};
use rustc_hash::FxHashMap;

type Words = [u32; 8];
type Colours = u32;

/// Positions as for steps; a successor is a drag away.
pub(super) struct Drags<const W: usize> {
    pub steps: Steps<W>,
    /// For pairs of colours: drags needed at least, and at most.
    needed: Vec<FxHashMap<u64, (u8, u8)>>,
    seen: Vec<bool>,
    flood: Vec<u16>,
    /// Whether estimates are living cats instead of bounds: no proof, since a drag may take several, but they lead to some solution soon.
    by_cats: bool,
}

const UNKNOWN: u8 = u8::MAX;
/// More drags than this are not looked into.
pub(super) const MOST_DRAGS: u32 = 250;
/// How often the memory of side searches is looked at, in nodes.
const LOOK_EVERY: u64 = 1024;

impl<const W: usize> Drags<W> {
    pub fn new(steps: Steps<W>) -> Drags<W> {
        Drags { steps, needed: vec![FxHashMap::default(); 64], seen: Vec::new(), flood: Vec::new(), by_cats: false }
    }

    /// The space in the order of living cats.
    pub fn by_cats(steps: Steps<W>) -> Drags<W> {
        Drags { by_cats: true, ..Drags::new(steps) }
    }

    fn is_in(colours: Colours, g: usize) -> bool {
        colours >> g & 1 == 1
    }

    /// All drags of some colours, the rest of the board ignored: the colour and its number afterwards.
    fn drags(&mut self, words: &[u32], colours: Colours, mut take: impl FnMut(usize, u32)) {
        let gone = self.steps.gone(words, colours);
        for g in (0..words.len()).filter(|g| Self::is_in(colours, *g)) {
            let mut taken = Bits::EMPTY;
            for h in (0..words.len()).filter(|h| *h != g && Self::is_in(colours, *h)) {
                let (c, id) = (&self.steps.colours[h], words[h] as usize);
                taken = taken.or(&c.occupied[id]).or(&c.cats[id]);
            }
            let mut place = Vec::new();
            self.steps.colours[g].places(words[g], &mut place);
            for slot in (0..place.len()).filter(|slot| place[*slot] != NOWHERE) {
                if self.steps.layout.groups[g].pieces[slot].lock <= gone {
                    self.drags_of(words[g], g, slot, &place, &taken, &mut take);
                }
            }
        }
    }

    fn drags_of(
        &mut self,
        id: u32,
        g: usize,
        slot: usize,
        place: &[u16],
        taken: &Bits<W>,
        take: &mut impl FnMut(usize, u32),
    ) {
        let layout: &Layout<W> = &self.steps.layout;
        let group = &layout.groups[g];
        let table = &layout.places[group.pieces[slot].places];
        let living = self.steps.colours[g].living_set(id);
        let mut after = place.to_vec();
        let mut left = living;
        loop {
            let taken = taken.or(&layout.siblings(g, &after, slot));
            let swept = flood(table, place[slot], &taken, left, &mut self.seen, &mut self.flood);
            let before = left;
            left &= !swept;
            group.take_off(&mut after, before, left);
            if left == before || after[slot] == NOWHERE || !group.mixed {
                break;
            }
        }
        if after[slot] == NOWHERE {
            take(g, self.steps.colours[g].number(layout, &after, left));
            return;
        }
        let ends = if left == living { 1.. } else { 0.. };
        let mut moved = after.clone();
        let colour = &mut self.steps.colours[g];
        // The same piece is dragged again and again while other colours stand elsewhere.
        let swept = if left == living { id } else { colour.number(layout, &after, left) };
        let row = colour.row(layout, swept, slot);
        for end in self.flood.get(ends).unwrap_or_default() {
            let known = row.and_then(|row| colour.in_row(row, *end));
            let number = known.unwrap_or_else(|| {
                moved.copy_from_slice(&after);
                moved[slot] = *end;
                settle(&mut moved, &group.class, slot);
                let number = colour.number(layout, &moved, left);
                row.into_iter().for_each(|row| colour.note(row, *end, number));
                number
            });
            take(g, number);
        }
    }

    fn living(&self, words: &[u32], colours: Colours) -> bool {
        (0..words.len()).any(|g| Self::is_in(colours, g) && self.steps.colours[g].living[words[g] as usize] > 0)
    }

    /// Drags that one or two colours need, the rest ignored: exactly if at most `limit` and [`MOST_DRAGS`], else one more than the lesser of them.
    fn need(&mut self, words: &Words, colours: Colours, limit: u32, probe: &mut Probe) -> Result<u32, Stop> {
        let limit = limit.min(MOST_DRAGS);
        let n = self.steps.colours.len();
        let colours = (0..n).filter(|g| Self::is_in(colours, *g)).fold(0, |all, g| all | 1 << g);
        if !self.living(&words[..n], colours) {
            return Ok(0);
        }
        let (table, key) = self.steps.memo(words, colours);
        let (least, most) = self.needed[table].get(&key).copied().unwrap_or((1, UNKNOWN));
        for drags in u32::from(least)..=limit {
            if u32::from(most) <= drags || self.can(words, colours, drags, probe)? {
                return Ok(drags);
            }
        }
        Ok(limit + 1)
    }

    fn can(&mut self, words: &Words, colours: Colours, drags: u32, probe: &mut Probe) -> Result<bool, Stop> {
        let n = self.steps.colours.len();
        if !self.living(&words[..n], colours) {
            return Ok(true);
        }
        if drags == 0 {
            return Ok(false);
        }
        let (table, key) = self.steps.memo(words, colours);
        let (least, most) = self.needed[table].get(&key).copied().unwrap_or((1, UNKNOWN));
        if u32::from(least) > drags {
            return Ok(false);
        }
        if u32::from(most) <= drags {
            return Ok(true);
        }
        // One drag sweeps one piece's reach, so each colour with cats needs one.
        let wanting =
            (0..n).filter(|g| Self::is_in(colours, *g) && self.steps.colours[*g].living[words[*g] as usize] > 0);
        let mut can = false;
        if wanting.count() as u32 <= drags {
            probe.tick()?;
            if probe.progress.nodes.is_multiple_of(LOOK_EVERY) {
                probe.progress.memory = probe.progress.memory.max(self.bytes());
            }
            let mut next: Vec<(u8, usize, u32)> = Vec::new();
            let mut all = Vec::new();
            self.drags(&words[..n], colours, |g, id| all.push((g, id)));
            for (g, id) in all {
                next.push((self.steps.colours[g].living[id as usize], g, id));
            }
            next.sort_unstable();
            for (_, g, id) in next {
                let mut after = *words;
                after[g] = id;
                if self.can(&after, colours, drags - 1, probe)? {
                    can = true;
                    break;
                }
            }
        }
        let entry = self.needed[table].entry(key).or_insert((1, UNKNOWN));
        if can {
            entry.1 = entry.1.min(drags as u8);
        } else {
            entry.0 = entry.0.max(drags as u8 + 1);
        }
        Ok(can)
    }

    /// A lower bound on the drags from a position; exact values of the pairs are looked for up to `limit`.
    pub fn bound(&mut self, state: &[u32], limit: u32, probe: &mut Probe) -> Result<u32, Stop> {
        let n = state.len();
        let mut words = [0; 8];
        words[..n].copy_from_slice(state);
        let mut alone = [0; 8];
        let mut sum = 0;
        for (g, own) in alone.iter_mut().enumerate().take(n) {
            *own = self.need(&words, 1 << g, limit, probe)?;
            sum += *own;
        }
        if sum > limit || n < 2 {
            return Ok(sum);
        }
        let mut bound = sum;
        let mut extra = [[0; 8]; 8];
        for a in 0..n {
            for b in a + 1..n {
                let room = limit - (sum - alone[a] - alone[b]);
                let both = self.need(&words, 1 << a | 1 << b, room, probe)?;
                let e = both.saturating_sub(alone[a] + alone[b]);
                extra[a][b] = e;
                bound = bound.max(sum + e);
                if bound > limit {
                    return Ok(bound);
                }
            }
        }
        // Any three colours: half the sum of their pairs, rounded up. Two pairs without a common colour: both.
        for a in 0..n {
            for b in a + 1..n {
                for c in b + 1..n {
                    bound = bound.max(sum + (extra[a][b] + extra[b][c] + extra[a][c]).div_ceil(2));
                    for d in c + 1..n {
                        let two =
                            (extra[a][b] + extra[c][d]).max(extra[a][c] + extra[b][d]).max(extra[a][d] + extra[b][c]);
                        bound = bound.max(sum + two);
                    }
                }
            }
        }
        Ok(bound)
    }
}

/// The places that a piece can walk to past the cells taken and the living cats, in order of distance, and the cats that it meets at them.
fn flood<const W: usize>(
    table: &Places<W>,
    from: u16,
    taken: &Bits<W>,
    living: u64,
    seen: &mut Vec<bool>,
    places: &mut Vec<u16>,
) -> u64 {
    seen.clear();
    seen.resize(table.cells.len(), false);
    places.clear();
    places.push(from);
    seen[from as usize] = true;
    let mut swept = 0;
    let mut i = 0;
    while i < places.len() {
        for q in table.moves[places[i] as usize] {
            if q == NOWHERE || seen[q as usize] || table.stops[q as usize] & living != 0 {
                continue;
            }
            if !table.cells[q as usize].meets(taken) {
                seen[q as usize] = true;
                places.push(q);
                swept |= table.touch[q as usize];
            }
        }
        i += 1;
    }
    swept
}

impl<const W: usize> Space for Drags<W> {
    type Word = u32;
    const CHEAP_ESTIMATE: bool = true;

    fn expand(&mut self, state: &[u32], out: &mut Successors<u32>, probe: &mut Probe) -> Result<(), Stop> {
        let mut all = Vec::new();
        self.drags(state, u32::MAX, |g, id| all.push((g, id)));
        let mut next = state.to_vec();
        for (g, id) in all {
            next[g] = id;
            out.push(&next, 1, 0, probe)?;
            next[g] = state[g];
        }
        Ok(())
    }

    fn estimate(&mut self, state: &[u32], probe: &mut Probe) -> Result<Option<u32>, Stop> {
        self.estimate_up_to(state, MOST_DRAGS, probe)
    }

    /// Pairs are worked out as far as the limit asks.
    fn estimate_up_to(&mut self, state: &[u32], most: u32, probe: &mut Probe) -> Result<Option<u32>, Stop> {
        Ok(Some(if self.by_cats { self.steps.living(state) } else { self.bound(state, most.min(MOST_DRAGS), probe)? }))
    }

    fn is_admissible(&self) -> bool {
        !self.by_cats
    }

    fn is_goal(&self, state: &[u32]) -> bool {
        self.steps.living(state) == 0
    }

    fn visited(&self, state: &[u32], probe: &mut Probe) {
        self.steps.visited(state, probe);
    }

    fn bytes(&mut self) -> u64 {
        self.steps.bytes() + self.needed.iter().map(|w| w.capacity() as u64 * 17).sum::<u64>()
    }
}
