//! The search space for fewest steps: which steps are worth trying, and what must be wasted.
//!
//! **The bound.** Each colour by itself, its shapes passing through everything, needs at least its [`Colour::bound`]; the sum over the
//! colours is the base. What a solution costs beyond the base is its *waste*, and a search with a limit hands on how much may still be
//! wasted, the *slack*. One colour with its shapes in each other's way, or two colours together, the rest of the board ignored,
//! often have to waste something already. That is found by the same search on the smaller problem, kept for every pair of numbers
//! met ([`Steps::waste`]), and shared: if two colours must waste all the slack, a third may waste nothing and goes straight.
//!
//! **Persistent sets.** With a limit, not all steps are tried but those of a group of pieces such that every solution within
//! the limit has to move one of them, and whose next steps nothing else can disturb before. The first step of a solution by a piece
//! of the group can then be brought to the front, so the steps of all other pieces may wait. This cuts the products of walks that
//! have nothing to do with each other down to sums.
//!
//! In detail: a piece of the group takes its steps within the slack. If such a step is free, every piece whose
//! corridor (the cells it may cover in any solution within the slack) meets the cells entered joins the group. If a piece stands
//! in the way, that piece joins, unless it cannot move within the slack: then the step never comes free. Where finished shapes leave, a piece in
//! the way may also go because another of its colour takes the last cat: then all pieces of its colour join. So they do if a living cat stands in the way.
//! (Within one colour neither happens: its shapes leave together, and its own cats are in nobody's way. Within colours that tandems link both do.) A locked piece waits for cats of any colour, so with it all join. The group begins with one
//! piece that has to move (without it the colour's bound would exceed the slack) or with all pieces of a colour that has cats.

use super::{
    colours::Colour,
    layout::{FAR, Layout, NOWHERE},
    pairs::{Colours, Pairs, Words},
};
use crate::{
    games::cats::{
        level::{Finished, Level},
        rules::State,
    },
    job::{Probe, Stop},
    search::{
        best_first::{Space, Successors},
        bits::Bits,
    },
};
use std::{cmp::Reverse, collections::BinaryHeap, sync::Arc};

/// Positions of the whole board, one number a colour.
pub(super) struct Steps<const W: usize> {
    pub layout: Arc<Layout<W>>,
    pub colours: Vec<Colour<W>>,
    /// The first piece of each colour when all pieces are counted through, and the number of pieces.
    first: Vec<usize>,
    now: Now<W>,
    /// What one or two colours must waste, from the positions met so far.
    wasted: Pairs,
    /// Whether persistent sets are used (not with very many pieces).
    pub reduce: bool,
    /// Where cats are looked for one by one: a position with fewer living cats than this is a goal.
    pub milestone: Option<u32>,
}

/// What is worked out for the position at hand.
#[derive(Default)]
struct Now<const W: usize> {
    cells: Vec<Bits<W>>,
    corridor: Vec<Option<Bits<W>>>,
    gone: u32,
}

/// More waste than this is not looked into.
const MOST_WASTE: u32 = 40;

/// What a shape in the way costs in a guess.
const IN_THE_WAY: u32 = 4;
/// The guess where there is no way.
const NO_WAY: u32 = 1000;

/// Beyond this bound colours are not looked at in pairs: the work goes as deep as the bound.
const LONGEST: u32 = 400;
/// How often the memory of side searches is looked at, in nodes.
const LOOK_EVERY: u64 = 1024;

/// A step of some colour.
#[derive(Clone, Copy)]
struct Choice {
    colour: usize,
    next: u32,
    waste: u32,
}

impl<const W: usize> Steps<W> {
    pub fn new(layout: Arc<Layout<W>>) -> Steps<W> {
        let colours: Vec<_> = (0..layout.groups.len()).map(|g| Colour::new(&layout, g)).collect();
        let wasted = Pairs::new(colours.len(), 0);
        Steps::with_tables(layout, colours, wasted)
    }

    /// The same space for another thread: a position has the same words in both.
    pub fn beside(&mut self) -> Steps<W> {
        let colours = self.colours.iter().map(Colour::beside).collect();
        Steps::with_tables(self.layout.clone(), colours, self.wasted.beside())
    }

    fn with_tables(layout: Arc<Layout<W>>, colours: Vec<Colour<W>>, wasted: Pairs) -> Steps<W> {
        let mut first = vec![0];
        for group in &layout.groups {
            first.push(first[first.len() - 1] + group.pieces.len());
        }
        let reduce = first[first.len() - 1] <= 64;
        Steps { layout, colours, first, now: Now::default(), wasted, reduce, milestone: None }
    }

    /// A state of the game as a state of the search.
    pub fn pack(&mut self, level: &Level, state: &State) -> Vec<u32> {
        let mut words = Vec::new();
        for (g, group) in self.layout.groups.iter().enumerate() {
            let mut place: Vec<u16> =
                group.pieces.iter().map(|p| self.layout.place(level, state, p).unwrap_or(NOWHERE)).collect();
            for (i, class) in group.class.iter().enumerate() {
                if *class == i {
                    let end = (i..place.len()).find(|j| group.class[*j] != i).unwrap_or(place.len());
                    place[i..end].sort_unstable();
                }
            }
            let living = group.cats.iter().enumerate().filter(|(_, k)| state.gone >> **k & 1 == 0);
            let living = living.fold(0, |bits, (k, _)| bits | 1 << k);
            words.push(self.colours[g].number(&self.layout, &place, living));
        }
        words
    }

    /// The sum of the colours' bounds.
    pub fn bound(&self, words: &[u32]) -> u32 {
        words.iter().zip(&self.colours).map(|(id, c)| u32::from(c.bound[*id as usize])).sum()
    }

    /// Whether some living cat is out of reach even if nothing but the ground stops the shapes of its colour.
    pub fn hopeless(&self, words: &[u32]) -> bool {
        self.layout.hopeless || words.iter().zip(&self.colours).any(|(id, c)| c.bound[*id as usize] == FAR)
    }

    /// Living cats.
    pub fn living(&self, words: &[u32]) -> u32 {
        words.iter().zip(&self.colours).map(|(id, c)| u32::from(c.living[*id as usize])).sum()
    }

    fn all_colours(&self) -> Colours {
        (1 << self.colours.len()) - 1
    }

    fn is_in(colours: Colours, g: usize) -> bool {
        colours >> g & 1 == 1
    }

    /// Cats gone, if those of colours that are ignored count as gone.
    pub fn gone(&self, words: &[u32], colours: Colours) -> u32 {
        let mut gone = self.layout.gone;
        for (g, id) in words.iter().enumerate() {
            gone += self.layout.groups[g].cats.len() as u32;
            if Self::is_in(colours, g) {
                gone -= u32::from(self.colours[g].living[*id as usize]);
            }
        }
        gone
    }

    /// The free steps within the slack of some colours, of all pieces or of those named, the rest of the board ignored.
    fn free(&self, words: &[u32], colours: Colours, pieces: Option<u64>, slack: &Words, mut take: impl FnMut(Choice)) {
        let gone = self.gone(words, colours);
        for g in (0..words.len()).filter(|g| Self::is_in(colours, *g)) {
            let mut taken = Bits::EMPTY;
            for h in (0..words.len()).filter(|h| *h != g && Self::is_in(colours, *h)) {
                let (c, id) = (&self.colours[h], words[h] as usize);
                taken = taken.or(&c.occupied[id]).or(&c.cats[id]);
            }
            for op in self.colours[g].ops(words[g]) {
                let slot = op.slot as usize;
                let chosen = pieces.is_none_or(|p| p >> (self.first[g] + slot) & 1 == 1);
                if chosen
                    && u32::from(op.waste) <= slack[g]
                    && !op.collides
                    && self.layout.groups[g].pieces[slot].lock <= gone
                    && !op.fresh.meets(&taken)
                {
                    take(Choice { colour: g, next: op.next, waste: op.waste.into() });
                }
            }
        }
    }

    // ------------------------------------------------------------------------------------------------------ persistent sets

    fn look(&mut self, words: &[u32], colours: Colours) {
        let now = &mut self.now;
        now.cells.clear();
        for (g, group) in self.layout.groups.iter().enumerate() {
            for (slot, piece) in group.pieces.iter().enumerate() {
                let place = self.colours[g].place_of(words[g], slot);
                let here = place != NOWHERE && Self::is_in(colours, g);
                now.cells.push(if here { self.layout.places[piece.places].cells[place as usize] } else { Bits::EMPTY });
            }
        }
        now.corridor.clear();
        now.corridor.resize(now.cells.len(), None);
        let gone = self.gone(words, colours);
        self.now.gone = gone;
    }

    fn corridor(&mut self, words: &[u32], g: usize, slot: usize, slack: &Words) -> Bits<W> {
        let at = self.first[g] + slot;
        if let Some(cells) = self.now.corridor[at] {
            return cells;
        }
        let cells = self.colours[g].corridor(&self.layout, words[g], slot, slack[g]);
        self.now.corridor[at] = Some(cells);
        cells
    }

    /// Whether the shapes of a colour can still leave the board.
    fn may_leave(&self, words: &[u32], g: usize) -> bool {
        self.layout.finished == Finished::Leave && self.colours[g].living[words[g] as usize] > 0
    }

    /// All pieces of a colour, as a set.
    fn pieces_of(&self, g: usize) -> u64 {
        (((1u128 << (self.first[g + 1] - self.first[g])) - 1) as u64) << self.first[g]
    }

    /// Lets join what has to; the group and how many free steps it has. Gives up, with `None`, at `most` free steps or at a lock.
    fn close(&mut self, words: &[u32], colours: Colours, seed: u64, slack: &Words, most: u32) -> Option<(u64, u32)> {
        let mut members = seed;
        let mut open = seed;
        let mut free = 0;
        while open != 0 {
            let i = open.trailing_zeros() as usize;
            open &= open - 1;
            let g = (0..words.len()).find(|g| i < self.first[g + 1]).unwrap_or(0);
            let slot = i - self.first[g];
            if self.layout.groups[g].pieces[slot].lock > self.now.gone {
                return None;
            }
            for k in 0..self.colours[g].ops(words[g]).len() {
                let op = self.colours[g].ops(words[g])[k];
                if op.slot as usize != slot || u32::from(op.waste) > slack[g] {
                    continue;
                }
                let mut joins = 0u64;
                let mut never = false;
                let mut blocked = false;
                for h in (0..words.len()).filter(|h| Self::is_in(colours, *h)) {
                    if op.fresh.meets(&self.colours[h].occupied[words[h] as usize]) {
                        for s in 0..self.first[h + 1] - self.first[h] {
                            let j = self.first[h] + s;
                            if j == i || !op.fresh.meets(&self.now.cells[j]) {
                                continue;
                            }
                            blocked = true;
                            if (h != g || self.layout.groups[g].mixed) && self.may_leave(words, h) {
                                // It need not move itself: it goes with the last cat of its colour, whichever shape takes that.
                                joins |= self.pieces_of(h);
                            } else {
                                never |= self.corridor(words, h, s, slack) == self.now.cells[j];
                                joins |= 1 << j;
                            }
                        }
                    }
                    let cats = &self.colours[h].cats[words[h] as usize];
                    if (h == g && op.cat) || (h != g && op.fresh.meets(cats)) {
                        blocked = true;
                        joins |= self.pieces_of(h);
                    }
                }
                if never {
                    continue;
                }
                if !blocked {
                    free += 1;
                    if free >= most {
                        return None;
                    }
                    for h in (0..words.len()).filter(|h| Self::is_in(colours, *h)) {
                        for s in 0..self.first[h + 1] - self.first[h] {
                            let j = self.first[h] + s;
                            if members >> j & 1 == 0 && self.corridor(words, h, s, slack).meets(&op.fresh) {
                                joins |= 1 << j;
                            }
                        }
                    }
                }
                let new = joins & !members;
                members |= new;
                open |= new;
            }
        }
        Some((members, free))
    }

    /// A small persistent set, or `None` for all pieces.
    fn persistent(&mut self, words: &[u32], colours: Colours, slack: &Words) -> Option<u64> {
        if !self.reduce {
            return None;
        }
        self.look(words, colours);
        let mut best: Option<(u64, u32)> = None;
        for g in (0..words.len()).filter(|g| Self::is_in(colours, *g)) {
            if self.colours[g].living[words[g] as usize] == 0 {
                continue;
            }
            let pieces = self.first[g + 1] - self.first[g];
            let limit = u32::from(self.colours[g].bound[words[g] as usize]) + slack[g];
            let mut alone = 0u64;
            for slot in 0..pieces {
                if pieces == 1 || u32::from(self.colours[g].frozen(&self.layout, words[g], slot)) > limit {
                    alone |= 1 << (self.first[g] + slot);
                }
            }
            loop {
                // One piece after the other, or all of the colour at once.
                let seed = if alone == 0 { self.pieces_of(g) } else { alone & alone.wrapping_neg() };
                alone &= !seed;
                let most = best.map_or(u32::MAX, |b| b.1);
                if let Some(found) = self.close(words, colours, seed, slack, most) {
                    best = Some(found);
                    if found.1 <= 1 {
                        return Some(found.0);
                    }
                }
                if alone == 0 {
                    break;
                }
            }
        }
        best.map(|b| b.0)
    }

    // ----------------------------------------------------------------------------------------------------------------- guess

    /// Steps to the nearest cat, where a shape in the way costs some steps more, and cats of other colours and locked shapes are
    /// walls. It falls as the way is cleared.
    fn nearest(&mut self, words: &[u32]) -> u32 {
        let all = self.all_colours();
        self.look(words, all);
        let mut least = NO_WAY;
        for g in 0..words.len() {
            let living = self.colours[g].living_set(words[g]);
            if living == 0 {
                continue;
            }
            let mut walls = Bits::EMPTY;
            for (h, id) in words.iter().enumerate() {
                if h != g {
                    walls = walls.or(&self.colours[h].cats[*id as usize]);
                }
            }
            for (i, cells) in self.now.cells.iter().enumerate() {
                if self.locked(i) {
                    walls = walls.or(cells);
                }
            }
            for slot in 0..self.first[g + 1] - self.first[g] {
                if !self.locked(self.first[g] + slot) {
                    least = self.nearest_of(words, g, slot, living, &walls, least);
                }
            }
        }
        least
    }

    fn locked(&self, piece: usize) -> bool {
        let g = (0..self.colours.len()).find(|g| piece < self.first[g + 1]).unwrap_or(0);
        self.layout.groups[g].pieces[piece - self.first[g]].lock > self.now.gone
    }

    fn nearest_of(&mut self, words: &[u32], g: usize, slot: usize, living: u64, walls: &Bits<W>, most: u32) -> u32 {
        let table = &self.layout.places[self.layout.groups[g].pieces[slot].places];
        let me = self.first[g] + slot;
        let mut seen = vec![false; table.cells.len()];
        let start = self.colours[g].place_of(words[g], slot);
        let mut queue: BinaryHeap<_> = (start != NOWHERE).then_some(Reverse((0, start))).into_iter().collect();
        while let Some(Reverse((d, p))) = queue.pop() {
            if d >= most {
                break;
            }
            if std::mem::replace(&mut seen[p as usize], true) {
                continue;
            }
            if table.touch[p as usize] & living != 0 {
                return d;
            }
            for q in table.moves[p as usize] {
                if q == NOWHERE || seen[q as usize] || table.cells[q as usize].meets(walls) {
                    continue;
                }
                if table.stops[q as usize] & living != 0 {
                    continue;
                }
                let cells = &table.cells[q as usize];
                let others = self.now.cells.iter().enumerate().filter(|(j, c)| *j != me && c.meets(cells)).count();
                queue.push(Reverse((d + 1 + IN_THE_WAY * others as u32, q)));
            }
        }
        most
    }

    // ----------------------------------------------------------------------------------------------------------------- waste

    fn prepare(&mut self, words: &[u32], colours: Colours) {
        for g in (0..words.len()).filter(|g| Self::is_in(colours, *g)) {
            self.colours[g].prepare(&self.layout, words[g]);
        }
    }

    /// What one or two colours must waste, the rest ignored: exactly, if it is at most `limit`, else `limit + 1`.
    fn waste(&mut self, words: &Words, colours: Colours, limit: u32, probe: &mut Probe) -> Result<u32, Stop> {
        let limit = limit.min(MOST_WASTE);
        let (least, most) = self.wasted.get(words, colours);
        if least == most {
            return Ok(u32::from(least).min(limit + 1));
        }
        for slack in u32::from(least)..=limit {
            if u32::from(most) <= slack || self.can(words, colours, slack, probe)? {
                return Ok(slack);
            }
        }
        Ok(limit + 1)
    }

    /// Whether one or two colours can do with this much waste. Every step spends slack or lowers the bound, so this ends.
    fn can(&mut self, words: &Words, colours: Colours, slack: u32, probe: &mut Probe) -> Result<bool, Stop> {
        let n = self.colours.len();
        let living = (0..n).any(|g| Self::is_in(colours, g) && self.colours[g].living[words[g] as usize] > 0);
        if !living {
            return Ok(true);
        }
        if let Some(known) = self.wasted.is_enough(words, colours, slack) {
            return Ok(known);
        }
        probe.tick()?;
        if probe.progress.nodes.is_multiple_of(LOOK_EVERY) {
            probe.progress.memory = probe.progress.memory.max(self.bytes());
        }
        let mut share = [slack; 8];
        let mut possible = true;
        if colours.count_ones() > 1 {
            possible = self.share_out(words, colours, slack, &mut share, probe)?;
        }
        let mut can = false;
        if possible {
            self.prepare(&words[..n], colours);
            let pieces = self.persistent(&words[..n], colours, &share);
            let mut choices = Vec::new();
            self.free(&words[..n], colours, pieces, &share, |c| choices.push(c));
            choices.sort_by_key(|c| c.waste);
            for choice in choices {
                let mut next = *words;
                next[choice.colour] = choice.next;
                if self.can(&next, colours, slack - choice.waste, probe)? {
                    can = true;
                    break;
                }
            }
        }
        self.wasted.note(words, colours, slack, can);
        Ok(can)
    }

    /// How much of the slack each of some colours may waste, after what the others must; whether that leaves a solution possible.
    fn share_out(
        &mut self,
        words: &Words,
        colours: Colours,
        slack: u32,
        share: &mut Words,
        probe: &mut Probe,
    ) -> Result<bool, Stop> {
        let (mut members, mut count) = ([0; 8], 0);
        for g in (0..self.colours.len()).filter(|g| Self::is_in(colours, *g)) {
            members[count] = g;
            count += 1;
        }
        let members = &members[..count];
        let mut alone = [0; 8];
        let mut sum = 0;
        for g in members {
            alone[*g] = self.waste(words, 1 << g, slack - sum.min(slack), probe)?;
            sum += alone[*g];
            if sum > slack {
                return Ok(false);
            }
        }
        for g in members {
            share[*g] = slack - (sum - alone[*g]);
        }
        if members.len() < 3 {
            return Ok(true);
        }
        // Extra waste of each pair beyond that of its two colours alone.
        let mut extra = [[0; 8]; 8];
        let mut all = 0;
        for (i, a) in members.iter().enumerate() {
            for b in &members[i + 1..] {
                let both = self.waste(words, 1 << a | 1 << b, slack - (sum - alone[*a] - alone[*b]), probe)?;
                // Waste is only looked into up to a limit, so the pair may seem to waste less than its two colours.
                let e = both.saturating_sub(alone[*a] + alone[*b]);
                if sum + e > slack {
                    return Ok(false);
                }
                extra[*a][*b] = e;
                extra[*b][*a] = e;
                all += e;
            }
        }
        if members.len() == 3 && sum + all.div_ceil(2) > slack {
            return Ok(false);
        }
        for g in members {
            let mut most = 0;
            for a in members.iter().filter(|a| *a != g) {
                for b in members.iter().filter(|b| *b != g) {
                    most = most.max(extra[*a][*b]);
                }
            }
            share[*g] -= most;
        }
        Ok(true)
    }
}

impl<const W: usize> Space for Steps<W> {
    type Word = u32;
    const CHEAP_ESTIMATE: bool = true;

    fn expand(&mut self, state: &[u32], out: &mut Successors<u32>, probe: &mut Probe) -> Result<(), Stop> {
        let all = self.all_colours();
        self.prepare(state, all);
        let mut share = [u32::MAX; 8];
        let mut pieces = None;
        if let Some(slack) = out.slack {
            share = [slack; 8];
            if state.len() > 1 && self.bound(state) <= LONGEST {
                let mut words = [0; 8];
                words[..state.len()].copy_from_slice(state);
                if !self.share_out(&words, all, slack, &mut share, probe)? {
                    return Ok(());
                }
            }
            pieces = self.persistent(state, all, &share);
        }
        let mut next = state.to_vec();
        let mut done = Ok(());
        self.free(state, all, pieces, &share, |choice| {
            next[choice.colour] = choice.next;
            if done.is_ok() {
                done = out.push(&next, 1, 0, probe);
            }
            next[choice.colour] = state[choice.colour];
        });
        done
    }

    fn learn(&mut self, state: &[u32]) {
        for (colour, id) in self.colours.iter_mut().zip(state) {
            colour.learn(&self.layout, *id);
        }
    }

    fn estimate(&mut self, state: &[u32], _: &mut Probe) -> Result<Option<u32>, Stop> {
        Ok(Some(self.bound(state)))
    }

    fn is_goal(&self, state: &[u32]) -> bool {
        self.living(state) < self.milestone.unwrap_or(0).max(1)
    }

    fn guess(&mut self, state: &[u32]) -> Option<u32> {
        self.milestone.is_some().then(|| self.nearest(state))
    }

    fn visited(&self, state: &[u32], probe: &mut Probe) {
        for (g, id) in state.iter().enumerate() {
            for c in self.colours[g].occupied[*id as usize].iter() {
                probe.visit(self.layout.cells[c]);
            }
        }
    }

    fn bytes(&mut self) -> u64 {
        let tables: usize = self.layout.places.iter().map(super::layout::Places::bytes).sum();
        (tables + self.colours.iter().map(Colour::bytes).sum::<usize>()) as u64 + self.wasted.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Draft as _, Rules as _},
        games::cats::Cats,
        job::Limits,
    };

    /// Waste is looked into up to a limit only, so two colours that can never be done seem to waste less together than each by itself.
    #[test]
    fn more_slack_than_waste_is_looked_into_is_shared_out() {
        let text = "(board: [\"a.bR\", \"    \", \"c.dG\", \"    \", \"e.fB\"], legend: {\
                    'a': Shape(colour: red), 'b': Shape(colour: red, lock: 9), 'c': Shape(colour: green), \
                    'd': Shape(colour: green, lock: 9), 'e': Shape(colour: blue), 'f': Shape(colour: blue, lock: 9), \
                    'R': Cat(red), 'G': Cat(green), 'B': Cat(blue)})";
        let level = Cats::from_file(ron::from_str(text).expect("RON")).expect("a level");
        let state = Cats::arrange(&level).expect("few cats");
        let mut probe = Probe::new(Limits::default());
        let mut steps = Steps::<1>::new(Arc::new(Layout::new(&level, &state, &mut probe).expect("no limit")));
        let start = steps.pack(&level, &state);
        let mut out = Successors::default();
        for slack in [0, MOST_WASTE, 2 * MOST_WASTE + 2, 200] {
            out.slack = Some(slack);
            assert_eq!(steps.expand(&start, &mut out, &mut probe), Ok(()));
        }
    }
}
