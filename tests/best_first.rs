//! The best-first engine: its plans, its pauses, its queue and its table of states.

use rand::RngExt;
use std::collections::HashSet;
use tilewright::{
    job::{Limits, Probe, Stop},
    search::{
        best_first::{End, Plan, Search, Space, Successors},
        queue::Queue,
        states::States,
    },
};

/// A number is doubled or grows by one until it is the wanted one.
struct Doubling(u16);

impl Space for Doubling {
    type Word = u16;
    fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
        out.push(&[state[0] + 1], 1, 1, probe)?;
        out.push(&[state[0].saturating_mul(2)], 1, 2, probe)
    }
    fn estimate(&mut self, state: &[u16], _: &mut Probe) -> Result<Option<u32>, Stop> {
        Ok((state[0] <= self.0).then_some(u32::from(state[0] != self.0)))
    }
    fn is_goal(&self, state: &[u16]) -> bool {
        state[0] == self.0
    }
}

/// Runs in turns of this many nodes; the answer with the best solution, and the number of turns.
fn run<S: Space<Word = u16>>(space: S, start: u16, plan: Plan, turn: u64) -> (End, Option<(u32, Vec<u32>)>, usize) {
    let mut search = Search::new(space, vec![vec![start]], plan);
    let mut best = None;
    for turns in 1..1_000_000 {
        let found = &mut |cost, steps: &[u32], _: &mut Probe| best = Some((cost, steps.to_vec()));
        match search.run(&mut Probe::new(Limits::nodes(turn)), found) {
            Ok(end) => return (end, best, turns),
            Err(stop) => assert_eq!(stop, Stop::Nodes),
        }
    }
    panic!("no end");
}

#[test]
fn the_exact_search_finds_the_shortest_way() {
    let best = Some((8, vec![1, 1, 2, 2, 2, 1, 2, 2]));
    assert_eq!(run(Doubling(100), 1, Plan::cheapest(), 10_000), (End::Found, best, 1));
    assert_eq!(run(Doubling(1), 1, Plan::cheapest(), 10_000), (End::Found, Some((0, vec![])), 1));
    assert_eq!(run(Doubling(0), 1, Plan::cheapest(), 10_000), (End::Exhausted, None, 1));
}

#[test]
fn a_bound_from_outside_is_kept_and_greedy_search_ends_at_once() {
    assert_eq!(run(Doubling(100), 1, Plan { below: 8, ..Plan::cheapest() }, 10_000), (End::Exhausted, None, 1));
    let greedy = Plan::first(|_, h| h);
    assert_eq!(run(Doubling(100), 1, greedy, 10_000).0, End::Found);
}

#[test]
fn a_stopped_search_goes_on_where_it_was() {
    let (end, best, turns) = run(Doubling(60_000), 1, Plan::cheapest(), 3);
    assert!(turns > 3);
    assert_eq!((end, best, 1), run(Doubling(60_000), 1, Plan::cheapest(), 1_000_000));
}

#[test]
fn the_memory_limit_is_asked_before_memory_is_taken() {
    let mut probe = Probe::new(Limits { memory: Some(100_000), ..Limits::default() });
    let mut search = Search::new(Doubling(u16::MAX), vec![vec![1]], Plan::cheapest());
    assert_eq!(search.run(&mut probe, &mut |_, _, _| ()), Err(Stop::Memory));
    assert!((50_000..=100_000).contains(&search.bytes()), "{}", search.bytes());
}

#[test]
fn a_start_that_does_not_count_must_be_come_back_to() {
    struct Ring;
    impl Space for Ring {
        type Word = u16;
        fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
            out.push(&[(state[0] + 1) % 5], 1, 0, probe)
        }
        fn estimate(&mut self, _: &[u16], _: &mut Probe) -> Result<Option<u32>, Stop> {
            Ok(Some(0))
        }
        fn is_goal(&self, state: &[u16]) -> bool {
            state[0] == 0
        }
    }
    let plan = Plan { start_counts: false, ..Plan::cheapest() };
    assert_eq!(run(Ring, 0, plan, 100), (End::Found, Some((5, vec![0; 5])), 1));
}

#[test]
fn a_goal_that_is_reached_again_more_cheaply_is_a_better_solution() {
    struct Detour;
    impl Space for Detour {
        type Word = u16;
        fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
            if state[0] == 0 {
                out.push(&[1], 1, 1, probe)?;
                out.push(&[2], 10, 2, probe)?;
            } else {
                out.push(&[2], 3, 3, probe)?;
            }
            Ok(())
        }
        fn estimate(&mut self, _: &[u16], _: &mut Probe) -> Result<Option<u32>, Stop> {
            Ok(Some(0))
        }
        fn is_goal(&self, state: &[u16]) -> bool {
            state[0] == 2
        }
    }
    assert_eq!(run(Detour, 0, Plan::cheapest(), 100), (End::Found, Some((4, vec![1, 3])), 1));
}

/// A tree of which one class looks best at every step and never ends; the goal is in the other.
struct Lure;

impl Space for Lure {
    type Word = u16;
    fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
        out.push(&[state[0].wrapping_add(2)], 1, 0, probe)?;
        if state[0] == 0 {
            out.push(&[1], 1, 1, probe)?;
        }
        Ok(())
    }
    fn estimate(&mut self, state: &[u16], _: &mut Probe) -> Result<Option<u32>, Stop> {
        Ok(Some(if state[0] % 2 == 0 { 1 } else { 100 }))
    }
    fn is_goal(&self, state: &[u16]) -> bool {
        state[0] == 21
    }
    fn class(&mut self, state: &[u16]) -> usize {
        usize::from(state[0] % 2)
    }
}

#[test]
fn classes_take_turns_so_none_is_starved() {
    let greedy = Plan::first(|_, h| h);
    let (end, best, turns) = run(Lure, 0, greedy, 30);
    assert_eq!((end, best.map(|b| b.0), turns), (End::Found, Some(11), 1));
}

/// Walking on a line of numbers to 0, where each step over a multiple of 7 costs 3. The estimate is the distance, or more.
struct Line {
    wall: Option<u16>,
    excess: u32,
    /// Where each expansion and each estimate needs a search beside: those that are done, and the nodes of the one under way.
    beside: Option<(HashSet<(bool, u16)>, u32)>,
}

impl Line {
    fn new(wall: Option<u16>) -> Line {
        Line { wall, excess: 0, beside: None }
    }
    fn search_beside(&mut self, what: (bool, u16), probe: &mut Probe) -> Result<(), Stop> {
        if let Some((done, nodes)) = &mut self.beside
            && !done.contains(&what)
        {
            while *nodes < 4 {
                probe.tick()?;
                *nodes += 1;
            }
            *nodes = 0;
            done.insert(what);
        }
        Ok(())
    }
}

impl Space for Line {
    type Word = u16;
    const CHEAP_ESTIMATE: bool = true;
    fn expand(&mut self, s: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
        self.search_beside((true, s[0]), probe)?;
        let next = [s[0].checked_sub(1), Some(s[0] + 1).filter(|n| *n <= 60)];
        for n in next.into_iter().flatten().filter(|n| Some(*n) != self.wall) {
            let cost = if n % 7 == 0 { 3 } else { 1 };
            if out.slack.is_none_or(|slack| cost + u32::from(n) <= u32::from(s[0]) + slack) {
                out.push(&[n], cost, 0, probe)?;
            }
        }
        Ok(())
    }
    fn estimate(&mut self, s: &[u16], probe: &mut Probe) -> Result<Option<u32>, Stop> {
        self.search_beside((false, s[0]), probe)?;
        Ok(Some(u32::from(s[0]) + if s[0] > 0 { self.excess } else { 0 }))
    }
    fn is_admissible(&self) -> bool {
        self.excess == 0
    }
    fn is_goal(&self, s: &[u16]) -> bool {
        s[0] == 0
    }
    fn guess(&mut self, s: &[u16]) -> Option<u32> {
        (self.excess > 0).then_some(u32::from(s[0] / 10))
    }
}

fn within(limit: u32) -> Plan {
    Plan { below: limit + 1, slack: true, ..Plan::first(|_, h| h) }
}

#[test]
fn all_plans_agree_on_a_line() {
    // 30 steps; 28, 21, 14, 7 and 0 cost two more each.
    for plan in [Plan::cheapest(), Plan { below: 50, slack: true, ..Plan::cheapest() }, within(40)] {
        assert_eq!(run(Line::new(None), 30, plan, 10_000), (End::Found, Some((40, vec![0; 30])), 1));
    }
    assert_eq!(run(Line::new(None), 30, Plan::first(|g, h| g + 3 * h), 10_000).0, End::Found);
    assert_eq!(run(Line::new(None), 30, within(39), 10_000).0, End::Exhausted);
    let mut search = Search::new(Line::new(None), vec![vec![30]], Plan::cheapest());
    assert_eq!(search.run(&mut Probe::new(Limits::default()), &mut |_, _, _| ()), Ok(End::Found));
    assert_eq!((search.bound(), search.path().len()), (40, 31));
    for plan in [Plan { below: 1000, ..Plan::cheapest() }, Plan::first(|g, h| g + 2 * h), within(200)] {
        search.space.wall = Some(5);
        search.restart(vec![vec![30]], plan);
        assert_eq!(search.run(&mut Probe::new(Limits::default()), &mut |_, _, _| ()), Ok(End::Exhausted));
    }
}

#[test]
fn estimates_that_may_be_too_high_prune_nothing() {
    let misled = Line { excess: 500, ..Line::new(None) };
    let plan = Plan { below: 41, ..Plan::first(|g, h| g + h) };
    assert_eq!(run(misled, 30, plan, 10_000).1.map(|b| b.0), Some(40));
}

#[test]
fn nothing_is_proven_before_the_last_start_is_in() {
    let beside = Line { beside: Some(Default::default()), ..Line::new(None) };
    let mut search = Search::new(beside, vec![vec![40], vec![30]], Plan::cheapest());
    // The estimate of each start takes four nodes.
    assert_eq!(search.run(&mut Probe::new(Limits::nodes(6)), &mut |_, _, _| ()), Err(Stop::Nodes));
    assert_eq!(search.bound(), 0);
    assert_eq!(search.run(&mut Probe::new(Limits::nodes(4)), &mut |_, _, _| ()), Err(Stop::Nodes));
    assert_eq!(search.bound(), 30);
    assert_eq!(search.run(&mut Probe::new(Limits::default()), &mut |_, _, _| ()), Ok(End::Found));
    assert_eq!(search.bound(), 40);
}

#[test]
fn a_search_that_is_stopped_within_an_expansion_loses_nothing() {
    for plan in [Plan::cheapest(), within(40), Plan::first(|g, h| g + 2 * h)] {
        let beside = || Line { beside: Some(Default::default()), ..Line::new(None) };
        let whole = run(beside(), 30, plan, u64::MAX);
        for turn in 1..12 {
            let (end, best, turns) = run(beside(), 30, plan, turn);
            assert!(turns > 10);
            assert_eq!((end, best, 1), whole, "in turns of {turn}");
        }
    }
}

/// A random graph with estimates that are never too high, and seldom consistent.
#[derive(Clone)]
struct Graph {
    edges: Vec<Vec<(u16, u32)>>,
    left: Vec<Option<u32>>,
}

impl Graph {
    fn random(rng: &mut impl rand::Rng) -> Graph {
        let n = rng.random_range(2..80u16);
        let edge = |rng: &mut _| (RngExt::random_range(rng, 0..n), RngExt::random_range(rng, 1..6));
        let edges = (0..n).map(|_| (0..rng.random_range(0..5)).map(|_| edge(rng)).collect()).collect();
        let mut graph = Graph { edges, left: vec![None; n.into()] };
        graph.left[0] = Some(0);
        // The last state is the start, the first the goal.
        for _ in 0..n {
            for from in 1..n as usize {
                let ways = graph.edges[from].iter().filter_map(|(to, cost)| Some(graph.left[*to as usize]? + cost));
                graph.left[from] = ways.min();
            }
        }
        graph
    }

    fn with_estimates(&self, rng: &mut impl rand::Rng) -> Graph {
        let guess = |left: &Option<u32>| match left {
            Some(left) => Some(rng.random_range(0..=*left)),
            None => rng.random_bool(0.5).then_some(7),
        };
        Graph { left: self.left.iter().map(guess).collect(), ..self.clone() }
    }
}

impl Space for Graph {
    type Word = u16;
    fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
        self.edges[state[0] as usize].iter().try_for_each(|(to, cost)| out.push(&[*to], *cost, u32::from(*to), probe))
    }
    fn estimate(&mut self, state: &[u16], _: &mut Probe) -> Result<Option<u32>, Stop> {
        Ok(self.left[state[0] as usize])
    }
    fn is_goal(&self, state: &[u16]) -> bool {
        state[0] == 0
    }
}

#[test]
fn several_threads_prove_what_one_proves_in_turns_of_any_length() {
    let mut rng = tilewright::game::rng(5);
    let mut solved = 0;
    for _ in 0..400 {
        let truth = Graph::random(&mut rng);
        let space = truth.with_estimates(&mut rng);
        let start = truth.edges.len() as u16 - 1;
        let want = truth.left[start as usize];
        let turn = rng.random_range(1..60);
        let helpers = vec![space.clone(); rng.random_range(1..4)];
        let mut search = Search::new(space, vec![vec![start]], Plan::cheapest());
        search.set_helpers(helpers);
        let mut best = None;
        let end = loop {
            match search.run_batches(&mut Probe::new(Limits::nodes(turn)), &mut |cost, _, _| best = Some(cost)) {
                Ok(end) => break end,
                Err(stop) => assert_eq!(stop, Stop::Nodes),
            }
            assert!(search.bound() <= want.unwrap_or(u32::MAX));
        };
        assert_eq!((end == End::Found, best), (want.is_some(), want));
        solved += u32::from(want.is_some());
    }
    assert!((100..350).contains(&solved), "{solved} solved");
}

fn all(queue: &mut Queue) -> Vec<(u32, u32)> {
    std::iter::from_fn(|| queue.pop(|_| true)).collect()
}

#[test]
fn the_least_priority_comes_first_and_the_latest_of_equals() {
    let mut q = Queue::default();
    for (p, i) in [(5, 1), (3, 2), (5, 3), (9, 4)] {
        q.push(0, p, i);
    }
    assert_eq!(q.pop(|_| true), Some((3, 2)));
    q.push(0, 1, 7);
    assert_eq!(q.pop(|i| i != 7 && i != 3), Some((5, 1)));
    assert_eq!((all(&mut q), q.is_empty()), (vec![(9, 4)], true));
}

#[test]
fn classes_take_turns_from_the_highest_down() {
    let mut q = Queue::default();
    for (class, p, i) in [(0, 1, 1), (0, 2, 2), (7, 5, 3), (7, 4, 4), (7, 6, 5), (3, 9, 6)] {
        q.push(class, p, i);
    }
    assert_eq!(all(&mut q), [(4, 4), (9, 6), (1, 1), (5, 3), (2, 2), (6, 5)]);
}

#[test]
fn states_are_found_again_by_their_numbers() {
    let mut states = States::<u32>::new(2);
    for i in 0..5000u32 {
        let (growth, before) = (states.growth(), states.bytes());
        states.make_room();
        assert!(states.bytes() <= before + growth, "more was taken than was announced");
        let place = states.find(&[i, i * i]).expect_err("not there yet");
        assert_eq!(states.insert(place, &[i, i * i]), i);
    }
    assert_eq!(states.find(&[4999, 4999 * 4999]), Ok(4999));
    assert!(states.find(&[10, 101]).is_err());
    assert_eq!(states.get(10), [10, 100]);
    assert!(states.bytes() > 5000 * 12);
    states.clear();
    assert!(states.find(&[10, 100]).is_err());
}
