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
    pairs::{Colours, Pairs, Words},
    steps::Steps,
};
use crate::{
    job::{Probe, Stop},
    search::{
        best_first::{Space, Successors},
        bits::Bits,
    },
};

/// What the colours of a position need, each alone and in pairs.
#[derive(Clone, Copy, Default)]
struct Needs {
    words: Words,
    alone: [u32; 8],
    /// What pairs need beyond what both need alone, the lower colour first.
    extra: [[u32; 8]; 8],
}

/// Positions as for steps; a successor is a drag away.
pub(super) struct Drags<const W: usize> {
    pub steps: Steps<W>,
    /// What the position needs that was expanded last: its successors differ in one colour.
    parent: Option<Needs>,
    /// The drags that one or two colours need.
    needed: Pairs,
    seen: Vec<bool>,
    flood: Vec<u16>,
    /// Whether estimates are living cats instead of bounds: no proof, since a drag may take several, but they lead to some solution soon.
    by_cats: bool,
}

/// More drags than this are not looked into.
pub(super) const MOST_DRAGS: u32 = 250;
/// How often the memory of side searches is looked at, in nodes.
const LOOK_EVERY: u64 = 1024;

impl<const W: usize> Drags<W> {
    pub fn new(steps: Steps<W>) -> Drags<W> {
        let needed = Pairs::new(steps.colours.len(), 1);
        Drags { steps, parent: None, needed, seen: Vec::new(), flood: Vec::new(), by_cats: false }
    }

    /// The same space for another thread: a position has the same words in both.
    pub fn beside(&mut self) -> Drags<W> {
        Drags { needed: self.needed.beside(), by_cats: self.by_cats, ..Drags::new(self.steps.beside()) }
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
        let mut place = Vec::new();
        for g in (0..words.len()).filter(|g| Self::is_in(colours, *g)) {
            let taken = self.taken(words, colours, g);
            for slot in self.free_pieces(words, colours, g, &mut place) {
                self.drags_of(words[g], g, slot, &place, &taken, &mut take);
            }
        }
    }

    /// Whether one drag of a colour takes all its cats, the rest of the board ignored.
    fn one_drag_takes_all(&mut self, words: &[u32], colours: Colours, g: usize) -> bool {
        let taken = self.taken(words, colours, g);
        let mut place = Vec::new();
        let pieces = self.free_pieces(words, colours, g, &mut place);
        let mut after = Vec::with_capacity(place.len());
        pieces.into_iter().any(|slot| {
            after.clone_from(&place);
            self.sweep(words[g], g, slot, &mut after, &taken) == 0
        })
    }

    /// The cells that the others of some colours take from one of them.
    fn taken(&self, words: &[u32], colours: Colours, g: usize) -> Bits<W> {
        let mut taken = Bits::EMPTY;
        for h in (0..words.len()).filter(|h| *h != g && Self::is_in(colours, *h)) {
            let (c, id) = (&self.steps.colours[h], words[h] as usize);
            taken = taken.or(&c.occupied[id]).or(&c.cats[id]);
        }
        taken
    }

    /// The pieces of a colour that are on the board and not locked, and the places of all of them.
    fn free_pieces(&self, words: &[u32], colours: Colours, g: usize, place: &mut Vec<u16>) -> Vec<usize> {
        let gone = self.steps.gone(words, colours);
        self.steps.colours[g].places(words[g], place);
        let pieces = &self.steps.layout.groups[g].pieces;
        (0..place.len()).filter(|slot| place[*slot] != NOWHERE && pieces[*slot].lock <= gone).collect()
    }

    /// Takes every cat that a piece can reach, from the places in `after`, which lose what leaves; the cats that are left. Where the piece can go is in
    /// `flood` then.
    fn sweep(&mut self, id: u32, g: usize, slot: usize, after: &mut [u16], taken: &Bits<W>) -> u64 {
        let layout: &Layout<W> = &self.steps.layout;
        let group = &layout.groups[g];
        let table = &layout.places[group.pieces[slot].places];
        let from = after[slot];
        let mut left = self.steps.colours[g].living_set(id);
        loop {
            let taken = taken.or(&layout.siblings(g, after, slot));
            let swept = flood(table, from, &taken, left, &mut self.seen, &mut self.flood);
            let before = left;
            left &= !swept;
            group.take_off(after, before, left);
            if left == before || after[slot] == NOWHERE || !group.mixed {
                return left;
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
        let mut after = place.to_vec();
        let left = self.sweep(id, g, slot, &mut after, taken);
        let layout: &Layout<W> = &self.steps.layout;
        let group = &layout.groups[g];
        let colour = &mut self.steps.colours[g];
        if after[slot] == NOWHERE {
            take(g, colour.number(layout, &after, left));
            return;
        }
        let as_it_was = left == colour.living_set(id);
        let ends = if as_it_was { 1.. } else { 0.. };
        let mut moved = after.clone();
        // The same piece is dragged again and again while other colours stand elsewhere.
        let swept = if as_it_was { id } else { colour.number(layout, &after, left) };
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
        let (least, most) = self.needed.get(words, colours);
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
        if drags == 0 || self.least_alone(words, colours, drags, probe)? > drags {
            return Ok(false);
        }
        if let Some(known) = self.needed.is_enough(words, colours, drags) {
            return Ok(known);
        }
        probe.tick()?;
        if probe.progress.nodes.is_multiple_of(LOOK_EVERY) {
            probe.progress.memory = probe.progress.memory.max(self.bytes());
        }
        let can = self.try_drags(words, colours, drags, probe)?;
        self.needed.note(words, colours, drags, can);
        Ok(can)
    }

    /// What two colours need at least, as far as this: the sum of what each needs alone. One colour with cats needs a drag.
    fn least_alone(&mut self, words: &Words, colours: Colours, limit: u32, probe: &mut Probe) -> Result<u32, Stop> {
        if colours.is_power_of_two() {
            return Ok(1);
        }
        let mut sum = 0;
        for g in (0..self.steps.colours.len()).filter(|g| Self::is_in(colours, *g)) {
            if sum <= limit {
                sum += self.need(words, 1 << g, limit - sum, probe)?;
            }
        }
        Ok(sum)
    }

    /// Whether some drag leads to where one less is enough.
    fn try_drags(&mut self, words: &Words, colours: Colours, drags: u32, probe: &mut Probe) -> Result<bool, Stop> {
        let n = self.steps.colours.len();
        let living = |s: &Self, g: usize, id: u32| s.steps.colours[g].living[id as usize];
        if drags == 1 {
            // Only one colour has cats: each would need a drag.
            let mut wanting = (0..n).filter(|g| Self::is_in(colours, *g) && living(self, *g, words[*g]) > 0);
            return Ok(match (wanting.next(), wanting.next()) {
                (Some(g), None) => self.one_drag_takes_all(&words[..n], colours, g),
                _ => false,
            });
        }
        let mut all = Vec::new();
        self.drags(&words[..n], colours, |g, id| all.push((g, id)));
        // What takes cats first.
        for takes in [true, false] {
            for &(g, id) in &all {
                if (living(self, g, id) < living(self, g, words[g])) == takes {
                    let mut after = *words;
                    after[g] = id;
                    if self.can(&after, colours, drags - 1, probe)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// A lower bound on the drags from a position; exact values of the pairs are looked for up to `limit`.
    pub fn bound(&mut self, state: &[u32], limit: u32, probe: &mut Probe) -> Result<u32, Stop> {
        Ok(self.needs(state, limit, probe)?.1)
    }

    /// What the colours need as far as the bound asks for it, and the bound.
    fn needs(&mut self, state: &[u32], limit: u32, probe: &mut Probe) -> Result<(Needs, u32), Stop> {
        let n = state.len();
        // What was found for the position before holds for the colours that have not changed.
        let mut needs = self.parent.unwrap_or_default();
        let known: [bool; 8] =
            std::array::from_fn(|g| g < n && self.parent.as_ref().is_some_and(|p| p.words[g] == state[g]));
        needs.words[..n].copy_from_slice(state);
        let words = needs.words;
        let mut sum = 0;
        for (g, alone) in needs.alone.iter_mut().enumerate().take(n) {
            if !known[g] {
                *alone = self.need(&words, 1 << g, limit, probe)?;
            }
            sum += *alone;
        }
        if sum > limit || n < 2 {
            return Ok((needs, sum));
        }
        let mut bound = sum;
        for a in 0..n {
            for b in a + 1..n {
                if !(known[a] && known[b]) {
                    let both = needs.alone[a] + needs.alone[b];
                    let room = limit - (sum - both);
                    needs.extra[a][b] = self.need(&words, 1 << a | 1 << b, room, probe)?.saturating_sub(both);
                }
                bound = bound.max(sum + needs.extra[a][b]);
                if bound > limit {
                    return Ok((needs, bound));
                }
            }
        }
        // Any three colours: half the sum of their pairs, rounded up. Two pairs without a common colour: both.
        let extra = &needs.extra;
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
        Ok((needs, bound))
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
        self.parent = None;
        if !self.by_cats {
            let (needs, bound) = self.needs(state, MOST_DRAGS, probe)?;
            // Where the bound is beyond the limit, pairs were not looked at.
            self.parent = (bound <= MOST_DRAGS).then_some(needs);
        }
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

    fn learn(&mut self, state: &[u32]) {
        self.steps.learn(state);
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
        self.steps.bytes() + self.needed.bytes()
    }
}
