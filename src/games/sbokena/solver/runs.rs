//! A search for levels in which many boxes move by a little: staircases and chains, where two keys pressed in turn push one box after the other.
//!
//! A move of this search is a *run*: the player walks to a box and presses two keys in turn (up, right, up, right …), or one key over and over, as long as
//! every first press pushes a box. Single pushes are moves too. Single pushes alone lead nowhere in such levels: in between most boxes are off
//! their goals, in any of very many ways. Positions that are as many runs from the beginning form a layer; the layers take turns, and each gives the
//! position that needs the fewest pushes by the lower bound.
//!
//! It is for plain levels without spare boxes and ends after a bounded number of nodes; that proves nothing.

use super::{
    bounds::Base,
    features::hash_of,
    map::NONE,
    pushes::{Count, Pushes, Walk, step_name},
};
use crate::{
    job::{Probe, Stop},
    search::best_first::Space as _,
};
use rustc_hash::FxHashSet;
use std::{cmp::Reverse, collections::BinaryHeap, sync::Arc};

/// Positions looked at.
const MOST_NODES: usize = 12_000;
/// The search ends after this many if no run has pushed [`LONG`] boxes or more: it is not that kind of level.
const FIRST_NODES: usize = 300;
const LONG: usize = 6;

/// Keys pressed in turn.
#[derive(Clone, Copy)]
struct Run {
    /// Where the player begins.
    from: u16,
    /// The keys, as directions.
    keys: [u8; 2],
    /// How many presses at most.
    presses: u16,
}

struct Node {
    parent: Option<u32>,
    /// The run that leads here, and how many did so far.
    run: Run,
    layer: usize,
    /// The boxes, sorted, and the player.
    state: Vec<u16>,
}

/// The search; it can be taken up again where it stopped.
pub struct RunSearch {
    base: Arc<Base>,
    space: Pushes,
    nodes: Vec<Node>,
    /// The positions looked at, by their hashes.
    known: FxHashSet<u64>,
    /// For each number of runs: estimate, number of the node.
    layers: Vec<BinaryHeap<Reverse<(u32, u32)>>>,
    turn: usize,
    /// The runs of the position at hand that were not taken yet.
    open: Vec<Run>,
    at_hand: u32,
    /// Most boxes pushed in one run.
    longest: usize,
    walk: Walk,
    box_at: Vec<u16>,
    /// The pushes of the last run.
    pushed: Vec<(u16, u8)>,
}

impl RunSearch {
    /// A search from where a plain level begins.
    pub fn new(base: Arc<Base>) -> RunSearch {
        let mut space = Pushes::new(base.clone(), Count::Pushes);
        let state = space.start();
        let run = Run { from: NONE, keys: [0; 2], presses: 0 };
        RunSearch {
            space,
            nodes: vec![Node { parent: None, run, layer: 0, state }],
            known: FxHashSet::default(),
            layers: vec![BinaryHeap::from([Reverse((0, 0))])],
            turn: 0,
            open: Vec::new(),
            at_hand: 0,
            longest: 0,
            walk: Walk::default(),
            box_at: vec![0; base.position.map.len()],
            pushed: Vec::new(),
            base,
        }
    }

    /// Goes on until there is a solution, as single pushes; nothing if there is none to be found.
    pub fn run(&mut self, probe: &mut Probe) -> Result<Option<Vec<u32>>, Stop> {
        loop {
            while let Some(&run) = self.open.last() {
                let looked_at = self.known.len();
                if looked_at > MOST_NODES || looked_at > FIRST_NODES && self.longest < LONG {
                    return Ok(None);
                }
                let won = self.take(run, probe)?;
                self.open.pop();
                if won {
                    return Ok(Some(self.line()));
                }
            }
            // The layers in turn, each after the one before it.
            let layers = self.layers.len();
            let next = (0..layers).map(|i| (self.turn + i) % layers).find(|l| !self.layers[*l].is_empty());
            let Some(layer) = next else { return Ok(None) };
            let Some(Reverse((_, node))) = self.layers[layer].pop() else { return Ok(None) };
            self.turn = layer + 1;
            self.at_hand = node;
            self.find_runs();
        }
    }

    fn bytes(&mut self) -> u64 {
        let node = size_of::<Node>() + 2 * self.base.position.boxes.len() + 24;
        self.space.bytes() + (self.nodes.len() * node + self.known.capacity() * 10) as u64
    }

    fn occupy(&mut self, node: u32, with: u16) {
        let state = &self.nodes[node as usize].state;
        for c in &state[..state.len() - 1] {
            self.box_at[*c as usize] = with;
        }
    }

    /// The runs of the position at hand.
    fn find_runs(&mut self) {
        self.occupy(self.at_hand, 1);
        let map = &self.base.position.map;
        let state = &self.nodes[self.at_hand as usize].state;
        self.walk.flood(map, state[state.len() - 1], &self.box_at, &[]);
        for from in (0..map.len() as u16).filter(|c| self.walk.reached(*c)) {
            for d in 0..4u8 {
                let at = map.hop[from as usize][d as usize].0;
                if at == NONE || self.box_at[at as usize] == 0 {
                    continue;
                }
                self.open.push(Run { from, keys: [d, d], presses: 1 });
                for then in [d, (d + 1) % 4, (d + 3) % 4] {
                    self.open.push(Run { from, keys: [d, then], presses: u16::MAX });
                }
            }
        }
        self.occupy(self.at_hand, 0);
    }

    /// Presses the keys, up to a win; gives where the player stands then. The boxes must be in `box_at`, in which those pushed are moved.
    fn press(&mut self, run: Run) -> u16 {
        let (map, dead) = (&self.base.position.map, &self.base.dead[0]);
        let mut covered = map.goals.iter().filter(|g| self.box_at[**g as usize] > 0).count();
        self.pushed.clear();
        let mut player = run.from;
        for press in 0..run.presses {
            let d = run.keys[usize::from(press % 2)];
            let to = map.hop[player as usize][d as usize].0;
            if to == NONE {
                break;
            }
            if self.box_at[to as usize] > 0 {
                let beyond = map.hop[to as usize][d as usize].0;
                if beyond == NONE || self.box_at[beyond as usize] > 0 || dead[beyond as usize] {
                    break;
                }
                self.box_at[to as usize] = 0;
                self.box_at[beyond as usize] = 1;
                self.pushed.push((to, d));
                covered += usize::from(map.is_goal[beyond as usize]);
                covered -= usize::from(map.is_goal[to as usize]);
            } else if press % 2 == 0 {
                break;
            }
            player = to;
            if covered == map.goals.len() {
                break;
            }
        }
        player
    }

    /// Takes in the position after a run of the one at hand; true if it is a solution, which is then the last node.
    fn take(&mut self, run: Run, probe: &mut Probe) -> Result<bool, Stop> {
        probe.step()?;
        self.occupy(self.at_hand, 1);
        let node = &self.nodes[self.at_hand as usize];
        let (layer, n) = (node.layer + 1, node.state.len() - 1);
        let mut boxes = node.state[..n].to_vec();
        let player = self.press(run);
        for &(at, d) in &self.pushed {
            if let Some(c) = boxes.iter_mut().find(|c| **c == at) {
                *c = self.base.position.map.hop[at as usize][d as usize].0;
            }
        }
        // Two keys that are not opposite never push a box back to where it was.
        let before = &self.nodes[self.at_hand as usize].state;
        let moved = boxes.iter().zip(before).filter(|(now, before)| now != before).count();
        boxes.sort_unstable();
        boxes.iter().for_each(|c| self.box_at[*c as usize] = 0);
        // A single push is a move of its own.
        if self.pushed.is_empty() || self.pushed.len() == 1 && run.presses > 1 {
            return Ok(false);
        }
        self.longest = self.longest.max(moved);
        let state = self.space.named(boxes, player);
        let hash = hash_of(&state[..n], state[n]);
        if self.known.contains(&hash) {
            return Ok(false);
        }
        probe.progress.memory = self.bytes();
        probe.tick()?;
        let least = self.space.estimate(&state, probe)?;
        self.known.insert(hash);
        let Some(least) = least else { return Ok(false) };
        let (won, id) = (self.space.is_goal(&state), self.nodes.len() as u32);
        self.nodes.push(Node { parent: Some(self.at_hand), run, layer, state });
        if self.layers.len() == layer {
            self.layers.push(BinaryHeap::new());
        }
        self.layers[layer].push(Reverse((least, id)));
        Ok(won)
    }

    /// The single pushes to the last node.
    fn line(&mut self) -> Vec<u32> {
        let last = self.nodes.len() as u32 - 1;
        let mut way: Vec<u32> = std::iter::successors(Some(last), |p| self.nodes[*p as usize].parent).collect();
        way.reverse();
        let mut steps = Vec::new();
        for pair in way.windows(2) {
            self.occupy(pair[0], 1);
            self.press(self.nodes[pair[1] as usize].run);
            self.box_at.fill(0);
            steps.extend(self.pushed.iter().map(|(at, d)| step_name(*at, *d as usize)));
        }
        steps
    }
}
