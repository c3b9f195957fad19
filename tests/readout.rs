//! Readout by its public door: the rules page and the sheet sentence by sentence. The solver is in `readout_solver.rs`.

use rand::RngExt as _;
use tilewright::{
    game::{
        Draft, Edit, Generate, Ink, Input, Key, NotMade, Outcome, Rules, Severity, Solve, Status, Value, Values,
        Versus, View, advance, opponents_turn, rng,
    },
    games::readout::{Budget, Ending, File, Kind, Level, Move, Opponent, Readout, Side, Square, State, Ui},
    grid::{Dir, Size, cell},
    job::{Limits, Probe},
    picture::point,
};

// ------------------------------------------------------------------------------------------------------------------- helpers

fn level(rows: &[&str]) -> Level {
    let file = File { board: rows.iter().map(|r| r.to_string()).collect() };
    Readout::from_file(file).expect("a readable board")
}

fn versus() -> Versus<Readout> {
    Readout::versus().expect("an opponent")
}

fn start(level: &Level) -> State {
    Readout::start(level).expect("a playable level")
}

fn slide(tile: u8, dir: Dir) -> Move {
    Move::Slide { tile, dir }
}

/// Plays the moves of both sides as written.
fn play(level: &Level, state: &mut State, moves: &str) {
    for mv in Readout::read_line(level, moves).expect("notation") {
        Readout::play(level, state, &mv).unwrap_or_else(|r| panic!("{mv:?}: {}", r.text));
    }
}

fn played(level: &Level, moves: &str) -> State {
    let mut state = start(level);
    play(level, &mut state, moves);
    state
}

fn refused(level: &Level, state: &State, mv: Move) -> &'static str {
    let mut after = state.clone();
    let refusal = Readout::play(level, &mut after, &mv).expect_err("refused");
    assert_eq!(&after, state, "a refused move changes nothing");
    refusal.reason
}

fn reply(level: &Level, state: &State) -> Move {
    (versus().reply)(level, state, &mut Probe::new(Limits::default())).expect("its turn")
}

fn solve(level: &Level, goal: usize, nodes: u64) -> Outcome<Move> {
    let state = Readout::arrange(level).expect("no doubles");
    Readout::solve(level, &state, goal, &mut Probe::new(Limits::nodes(nodes)), &mut |_| ())
}

/// Replays a line of a goal as the program does.
fn replayed(level: &Level, goal: usize, line: &[Move]) -> Status {
    let state = Readout::arrange(level).expect("no doubles");
    let (level, mut state) = Readout::replay_on(level, &state, goal).unwrap_or((level.clone(), state));
    for mv in line {
        advance::<Readout>(&level, &mut state, mv).unwrap_or_else(|r| panic!("{mv:?}: {}", r.text));
    }
    Readout::status(&level, &state)
}

/// The game itself, one slide from home: 24 to the left.
fn almost() -> Level {
    level(&[" 1  2  3  4  5", " 6  7  8  9 10", "11 12 13 14 15", "16 17 18 19 20", "21 22 23  . 24"])
}

/// Two slides from home: 23 and 24 to the left.
fn nearly() -> Level {
    level(&[" 1  2  3  4  5", " 6  7  8  9 10", "11 12 13 14 15", "16 17 18 19 20", "21 22  . 23 24"])
}

fn three() -> Level {
    level(&["1 2 3", "4 5 6", "7 . 8"])
}

fn literal() -> Level {
    Level::in_order(Size::new(5, 5), 1).with_rules(|r| {
        r.obstacle = Kind::Fill;
        r.life = 0;
        r.budget = Budget::Unlimited;
    })
}

fn generated(seed: u64) -> Level {
    let values = Values::default().checked(&Readout::params()).expect("defaults");
    let made = Readout::generate(&values, seed, &mut Probe::new(Limits::default()));
    made.unwrap_or_else(|_| panic!("seed {seed}")).level
}

// ------------------------------------------------------------------------------------------------ the sheet, sentence by sentence

#[test]
fn setup_digits_1_to_24_in_row_major_order_with_the_bottom_right_empty_is_the_practice_board() {
    let practice = Level::in_order(Size::new(5, 5), 1);
    assert_eq!(practice.squares, practice.target());
    assert_eq!(practice.squares[cell(4, 4)], Square::Gap);
    let state = start(&practice);
    assert_eq!(Readout::status(&practice, &state), Status::Playing, "a win is only looked for after a slide");
    let warned = Readout::problems(&practice);
    assert!(warned.iter().any(|p| p.severity == Severity::Warning && p.text.contains("in order already")));
    let alone = practice.with_rules(|r| r.opponent = Opponent::None);
    assert_eq!(played(&alone, "24R 24L").ending, Some(Ending::Won), "away and back is a win");
}

#[test]
fn setup_the_starting_player_is_the_human_and_all_counts_are_zero() {
    let state = start(&almost());
    assert_eq!((state.turn, state.move_count, state.pieces_played, state.spent), (Side::Player, 0, 0, 0));
}

#[test]
fn r1_each_action_has_a_defined_input_output_and_refusal() {
    let level = almost();
    let state = start(&level);
    assert_eq!(refused(&level, &state, slide(1, Dir::Right)), "no-gap", "the target cell must be the empty cell");
    assert_eq!(refused(&level, &state, slide(24, Dir::Right)), "edge");
    assert_eq!(refused(&level, &state, slide(25, Dir::Right)), "no-tile", "the selected tile must be a digit tile");
    assert_eq!(refused(&level, &state, Move::Pin { tile: 24 }), "turn");
    assert_eq!(refused(&level, &state, Move::Wait), "turn");
    assert_eq!(refused(&level, &state, Move::TimeUp), "no-clock");
    let mut after = played(&level, "23R");
    assert_eq!(refused(&level, &after, slide(23, Dir::Left)), "turn");
    assert_eq!(refused(&level, &after, Move::Fill { at: cell(2, 4) }), "kind");
    assert_eq!(refused(&level, &after, Move::Pin { tile: 1 }), "no-gap");
    assert_eq!(refused(&level, &after, Move::Pin { tile: 30 }), "no-tile");
    assert_eq!(refused(&level, &after, Move::Pass), "pass");
    play(&level, &mut after, "pin23");
    assert_eq!(refused(&level, &after, slide(23, Dir::Left)), "pinned");
}

#[test]
fn r_ai_1_every_answer_is_cut_off_by_nodes_far_below_two_seconds() {
    // A million nodes take well under a second.
    let far = ["24 23 22 21 20", "19 18 17 16 15", "14 13 12 11 10", " 9  8  7  6  5", " 4  3  2  1  ."];
    for opponent in [Opponent::Easy, Opponent::Medium, Opponent::Hard] {
        for first in [generated(1), generated(2), level(&far)] {
            let level = first.with_rules(|r| r.opponent = opponent);
            let mut state = Readout::arrange(&level).expect("no doubles");
            while state.ending.is_none() && state.move_count < 12 {
                let mv = *state.slides().last().expect("never stuck by one pin");
                Readout::play(&level, &mut state, &mv).expect("legal");
                if opponents_turn::<Readout>(&level, &state) {
                    let mut probe = Probe::new(Limits::default());
                    let answer = (versus().reply)(&level, &state, &mut probe).expect("its turn");
                    assert!(probe.progress.nodes < 1_000_000, "{opponent:?}: {} nodes", probe.progress.nodes);
                    Readout::play(&level, &mut state, &answer).expect("its answers are legal");
                }
            }
        }
    }
}

#[test]
fn r_ai_2_easy_pins_the_lowest_numbered_tile_beside_the_gap_whenever_it_may() {
    let level = almost().with_rules(|r| r.opponent = Opponent::Easy);
    let mut state = played(&level, "19D");
    assert_eq!(reply(&level, &state), Move::Pin { tile: 14 });
    play(&level, &mut state, "pin14 18R");
    assert_eq!(reply(&level, &state), Move::Wait, "its cooldown is 4 turns");
    let fill = level.with_rules(|r| r.obstacle = Kind::Fill);
    assert_eq!(reply(&fill, &played(&fill, "19D")), Move::Fill { at: cell(3, 3) });
}

#[test]
fn r_ai_3_and_r_ai_4_medium_and_hard_answer_alike_every_time_and_only_legally() {
    for opponent in [Opponent::Medium, Opponent::Hard] {
        for seed in 20..24 {
            let level = generated(seed).with_rules(|r| r.opponent = opponent);
            let mut state = start(&level);
            let mut random = rng(seed);
            while state.ending.is_none() && state.move_count < 20 {
                let slides = state.slides();
                let mv = slides[random.random_range(0..slides.len())];
                Readout::play(&level, &mut state, &mv).expect("legal");
                if opponents_turn::<Readout>(&level, &state) {
                    let answer = reply(&level, &state);
                    assert_eq!(answer, reply(&level, &state));
                    assert!(Readout::legal_moves(&level, &state).contains(&answer));
                    Readout::play(&level, &mut state, &answer).expect("legal");
                }
            }
        }
    }
}

#[test]
fn r_ai_1_medium_and_hard_answer_on_a_board_full_of_gaps_too() {
    for opponent in [Opponent::Medium, Opponent::Hard] {
        for kind in [Kind::Pin, Kind::Fill] {
            let board = level(&[
                "1 . 2 . 3 .",
                ". 5 . 4 . 6",
                "7 . 8 . 9 .",
                ". 10 . 12 . 11",
                "13 . 14 . 15 .",
                ". 16 . 17 . 18",
            ]);
            let level = board.with_rules(|r| {
                r.opponent = opponent;
                r.obstacle = kind;
            });
            let mut state = start(&level);
            let first = state.slides()[0];
            Readout::play(&level, &mut state, &first).expect("legal");
            let mut probe = Probe::new(Limits::default());
            let answer = (versus().reply)(&level, &state, &mut probe).expect("an answer");
            assert!(Readout::legal_moves(&level, &state).contains(&answer));
            assert!(probe.progress.nodes < 200_000, "{opponent:?}: {}", probe.progress.nodes);
        }
    }
}

#[test]
fn end_win_the_board_in_target_order_right_after_a_human_slide_wins_immediately() {
    let level = almost();
    let state = played(&level, "24L");
    assert_eq!((state.ending, state.move_count), (Some(Ending::Won), 1));
    assert_eq!(Readout::status(&level, &state), Status::Won);
    assert_eq!(Readout::legal_moves(&level, &state), []);
    assert_eq!(refused(&level, &state, slide(24, Dir::Right)), "over");
    assert!(!opponents_turn::<Readout>(&level, &state), "the AI does not move after a win");
}

#[test]
fn end_lose_the_ai_wins_when_the_board_is_not_in_order_after_turn_number_move_limit() {
    let level = nearly().with_rules(|r| r.move_limit = Some(2));
    let state = played(&level, "22R wait 22L");
    assert_eq!((state.ending, state.move_count), (Some(Ending::Lost), 2));
    assert_eq!(Readout::status(&level, &state), Status::Lost);
    assert_eq!(played(&nearly(), "22R wait 22L").ending, None, "with 60 turns it goes on");
}

#[test]
fn end_lose_the_last_turn_may_still_win_and_win_and_loss_never_both_hold() {
    let level = nearly().with_rules(|r| r.move_limit = Some(2));
    assert_eq!(played(&level, "23L wait 24L").ending, Some(Ending::Won));
}

#[test]
fn end_draw_two_passes_in_a_row_and_the_literal_reading_ends_so() {
    let level = literal();
    let mut state = start(&level);
    advance::<Readout>(&level, &mut state, &slide(24, Dir::Right)).expect("legal");
    // The AI fills the only gap for ever, the player must pass, the AI can do nothing and passes.
    assert_eq!(state.ending, Some(Ending::Drawn));
    assert_eq!((state.move_count, state.spent), (2, 1), "the forced pass is a turn");
    assert_eq!(Readout::status(&level, &state), Status::Drawn);
    let stepwise = played(&level, "24R fill3,4");
    assert!(stepwise.forced && stepwise.ending.is_none());
    assert_eq!(Readout::legal_moves(&level, &stepwise), [Move::Pass], "neither an obstacle nor waiting is legal");
}

#[test]
fn acceptance_given_an_initial_state_when_a_human_acts_then_the_values_are_these() {
    let level = nearly();
    let state = played(&level, "23L");
    assert_eq!(state.squares[cell(2, 4)], Square::Digit(23));
    assert_eq!(state.squares[cell(3, 4)], Square::Gap);
    assert_eq!((state.turn, state.move_count, state.pieces_played), (Side::Opponent, 1, 1));
    assert_eq!(state.last, Some(slide(23, Dir::Left)));
}

#[test]
fn acceptance_a_valid_move_updates_the_state_deterministically_and_captures_nothing() {
    let level = generated(3);
    let (mut a, mut b) = (start(&level), start(&level));
    for _ in 0..10 {
        let Some(mv) = a.slides().first().copied() else { break };
        if a.ending.is_some() {
            break;
        }
        advance::<Readout>(&level, &mut a, &mv).expect("legal");
        advance::<Readout>(&level, &mut b, &mv).expect("legal");
        assert_eq!(a, b);
        let tiles = a.squares.values().iter().filter(|s| matches!(s, Square::Digit(_))).count();
        assert_eq!(tiles, 24, "tiles slide and are never taken");
    }
}

#[test]
fn acceptance_easy_moves_by_its_simple_rule_within_its_nodes() {
    let level = generated(4).with_rules(|r| r.opponent = Opponent::Easy);
    let mut state = start(&level);
    let first = state.slides()[0];
    Readout::play(&level, &mut state, &first).expect("legal");
    let mut probe = Probe::new(Limits::default());
    let answer = (versus().reply)(&level, &state, &mut probe);
    assert!(matches!(answer, Some(Move::Pin { .. })));
    assert_eq!(probe.progress.nodes, 0, "a rule of thumb searches nothing");
}

#[test]
fn acceptance_medium_and_hard_take_the_win_in_one_that_is_the_players_last_turn() {
    for opponent in [Opponent::Medium, Opponent::Hard] {
        let level = nearly().with_rules(|r| {
            r.opponent = opponent;
            r.move_limit = Some(2);
        });
        let mut state = start(&level);
        advance::<Readout>(&level, &mut state, &slide(23, Dir::Left)).expect("legal");
        assert_eq!(state.last, Some(Move::Pin { tile: 24 }));
        for mv in state.slides() {
            let mut after = state.clone();
            Readout::play(&level, &mut after, &mv).expect("legal");
            assert_eq!(after.ending, Some(Ending::Lost), "whatever the player does");
        }
    }
}

#[test]
fn acceptance_medium_and_hard_block_the_humans_winning_move_whenever_an_obstacle_can() {
    for opponent in [Opponent::Medium, Opponent::Hard] {
        for kind in [Kind::Pin, Kind::Fill] {
            for board in [
                nearly(),
                level(&["1 2 3", "4 5 6", ". 7 8"]),
                level(&["1 2 3", "4 5 .", "7 8 6"]),
                level(&["1 # 2", "3 4 5", "6 . 7", ". 8 9"]),
            ] {
                let level = board.with_rules(|r| {
                    r.opponent = opponent;
                    r.obstacle = kind;
                });
                let state = Readout::arrange(&level).expect("no doubles");
                for mv in state.slides() {
                    let mut after = state.clone();
                    Readout::play(&level, &mut after, &mv).expect("legal");
                    if after.turn != Side::Opponent || after.ending.is_some() {
                        continue;
                    }
                    let wins = |s: &State, m: &Move| {
                        let mut next = s.clone();
                        next.turn = Side::Player;
                        Readout::play(&level, &mut next, m).is_ok() && next.ending == Some(Ending::Won)
                    };
                    if !after.slides().iter().any(|m| wins(&after, m)) {
                        continue;
                    }
                    let answer = reply(&level, &after);
                    Readout::play(&level, &mut after, &answer).expect("legal");
                    // With its only gap filled the player has passed already: then the slide was stopped too.
                    let through = after.turn == Side::Player && after.slides().iter().any(|m| wins(&after, m));
                    assert!(!through, "{opponent:?} let {mv:?} through");
                }
            }
        }
    }
}

#[test]
fn config_the_default_is_medium_and_the_difficulty_can_be_changed() {
    let level = almost();
    assert_eq!(level.rules.opponent, Opponent::Medium);
    let mut state = start(&level);
    play(&level, &mut state, "@hard 23R @easy");
    assert_eq!((state.opponent, state.turn, state.move_count), (Opponent::Easy, Side::Opponent, 1));
    play(&level, &mut state, "@none");
    assert_eq!(state.turn, Side::Player, "nobody's turn is over at once");
}

// ------------------------------------------------------------------------------------------------------ the rules page, what is left

#[test]
fn the_target_is_row_major_over_what_is_not_fixed_with_the_gaps_last() {
    let level = level(&["# 3 1", ". 2 4", "# . 5"]);
    let rows = Readout::to_file(&Level { squares: level.target(), rules: level.rules }).board;
    assert_eq!(rows, ["# 1 2", "3 4 5", "# . ."]);
}

#[test]
fn a_tile_under_a_pin_and_a_fixed_tile_cannot_move() {
    let level = level(&["1 2 3", "4 5 6", "7 . #"]);
    let mut state = played(&level, "7R");
    assert!(state.slides().iter().all(|m| matches!(m, Move::Slide { tile: 4 | 7, .. })));
    play(&level, &mut state, "pin4");
    assert_eq!(state.slides(), [slide(7, Dir::Left)]);
    assert_eq!(refused(&level, &state, slide(4, Dir::Down)), "pinned");
}

#[test]
fn an_obstacle_leaves_at_the_end_of_its_lifeth_human_turn() {
    for life in [1, 2, 3] {
        let level = almost().with_rules(|r| r.life = life);
        let mut state = played(&level, "19D pin20");
        for turn in 1..=life {
            assert_eq!(state.obstacles.len(), 1, "life {life}, turn {turn}");
            assert_eq!(state.obstacles[0].left, Some(life - turn + 1));
            play(&level, &mut state, if turn % 2 == 1 { "18R wait" } else { "18L wait" });
        }
        assert!(state.obstacles.is_empty());
    }
    let for_ever = almost().with_rules(|r| r.life = 0);
    let state = played(&for_ever, "19D pin20 18R wait 18L wait 18R");
    assert_eq!(state.obstacles[0].left, None);
}

#[test]
fn cooldown_counts_the_ai_turns_between_two_obstacles() {
    for (cooldown, opponent) in
        [(None, Opponent::Medium), (None, Opponent::Hard), (Some(0), Opponent::Medium), (Some(2), Opponent::Hard)]
    {
        let level = almost().with_rules(|r| {
            r.cooldown = cooldown;
            r.opponent = opponent;
        });
        let mut state = played(&level, "19D pin20 18R");
        let mut between = 0;
        while Readout::legal_moves(&level, &state) == [Move::Wait] {
            between += 1;
            play(&level, &mut state, if between % 2 == 1 { "wait 18L" } else { "wait 18R" });
        }
        assert_eq!(between, cooldown.unwrap_or(opponent.cooldown()), "{opponent:?}");
    }
}

#[test]
fn budget_and_at_once_bound_the_obstacles() {
    let level = almost().with_rules(|r| {
        r.budget = Budget::Count(1);
        r.cooldown = Some(0);
    });
    let state = played(&level, "19D pin20 18R");
    assert_eq!(Readout::legal_moves(&level, &state), [Move::Wait]);
    assert_eq!(refused(&level, &state, Move::Pin { tile: 17 }), "budget");
    let two = almost().with_rules(|r| {
        r.at_once = 2;
        r.life = 0;
        r.cooldown = Some(0);
    });
    let state = played(&two, "19D pin20 18R pin17 18L");
    assert_eq!(refused(&two, &state, Move::Pin { tile: 14 }), "at-once");
    let endless = literal().with_rules(|r| r.cooldown = Some(0));
    assert_eq!(endless.rules.budget_of(Opponent::Medium), None);
}

#[test]
fn the_opponents_own_budgets_and_cooldowns_are_4_4_8_3_and_12_1() {
    let own = |o: Opponent| (o.budget(), o.cooldown());
    assert_eq!([own(Opponent::Easy), own(Opponent::Medium), own(Opponent::Hard)], [(4, 4), (8, 3), (12, 1)]);
}

#[test]
fn changing_the_opponent_changes_the_numbers_and_obstacles_spent_still_count() {
    let level = almost().with_rules(|r| r.cooldown = Some(0));
    let mut state = start(&level);
    for i in 0..5 {
        play(
            &level,
            &mut state,
            if i == 0 {
                "19D pin20"
            } else if i % 2 == 1 {
                "18R pin17"
            } else {
                "18L pin14"
            },
        );
    }
    assert_eq!(state.spent, 5);
    play(&level, &mut state, "@easy 18R");
    assert_eq!(Readout::legal_moves(&level, &state), [Move::Wait], "Easy has 4, and 5 are spent");
    play(&level, &mut state, "@hard");
    assert!(Readout::legal_moves(&level, &state).len() > 1, "Hard has 12");
}

#[test]
fn without_a_slide_the_human_passes_unasked_and_the_pass_is_a_turn() {
    let level = three().with_rules(|r| {
        r.obstacle = Kind::Fill;
        r.life = 2;
    });
    let mut state = played(&level, "5D fill1,1");
    assert!(state.forced);
    assert_eq!((state.turn, state.move_count, state.passes), (Side::Opponent, 2, 1));
    assert_eq!(Readout::legal_moves(&level, &state), [Move::Wait], "the obstacle will leave: waiting is legal");
    play(&level, &mut state, "wait");
    assert_eq!((state.turn, state.move_count), (Side::Opponent, 3), "the second pass");
    assert!(state.obstacles.is_empty() && state.ending.is_none(), "a wait between two passes: no draw");
    play(&level, &mut state, "wait");
    assert_eq!(state.turn, Side::Player);
    assert!(!state.slides().is_empty());
}

#[test]
fn a_forced_pass_can_be_the_last_turn() {
    let level = three().with_rules(|r| {
        r.obstacle = Kind::Fill;
        r.move_limit = Some(2);
    });
    assert_eq!(played(&level, "5D fill1,1").ending, Some(Ending::Lost));
}

#[test]
fn a_filled_gap_still_counts_as_a_gap_for_the_target_order() {
    let level = level(&["1 2 3", "4 5 6", "7 . ."]).with_rules(|r| {
        r.obstacle = Kind::Fill;
        r.life = 0;
    });
    let mut state = played(&level, "7R fill2,2");
    play(&level, &mut state, "7L");
    assert_eq!(state.ending, Some(Ending::Won));
}

#[test]
fn with_the_opponent_off_the_player_moves_turn_after_turn() {
    let level = nearly().with_rules(|r| r.opponent = Opponent::None);
    let state = played(&level, "23L 24L");
    assert_eq!((state.ending, state.move_count, state.spent), (Some(Ending::Won), 2, 0));
}

#[test]
fn points_are_the_turns_left_of_a_won_game() {
    let level = nearly().with_rules(|r| r.opponent = Opponent::None);
    assert_eq!((versus().points)(&level, &played(&level, "23L")), None);
    assert_eq!((versus().points)(&level, &played(&level, "23L 24L")), Some(58));
    let lost = level.with_rules(|r| r.move_limit = Some(1));
    assert_eq!((versus().points)(&lost, &played(&lost, "23L")), None);
}

#[test]
fn an_expired_turn_is_a_pass_where_there_is_a_clock() {
    let level = nearly().with_rules(|r| r.turn_clock = 30);
    let state = start(&level);
    assert_eq!((versus().clock)(&level, &state), Some((30.0, Move::TimeUp)));
    assert_eq!((versus().clock)(&nearly(), &start(&nearly())), None, "off by default");
    let after = played(&level, "timeout");
    assert_eq!((after.turn, after.move_count, after.passes, after.pieces_played), (Side::Opponent, 1, 1, 0));
}

#[test]
fn undo_over_both_players_turns_is_putting_the_old_state_back() {
    let level = generated(5);
    let mut states = vec![start(&level)];
    for _ in 0..6 {
        let mut state = states[states.len() - 1].clone();
        let mv = state.slides()[0];
        advance::<Readout>(&level, &mut state, &mv).expect("legal");
        states.push(state);
    }
    let again = states[2].clone();
    let mut redone = again.clone();
    let mv = again.slides()[0];
    advance::<Readout>(&level, &mut redone, &mv).expect("legal");
    assert_eq!(redone, states[3], "the same answers come again");
}

#[test]
fn the_model_player_meets_the_same_games_every_time_and_no_loss_of_the_ai_was_stoppable() {
    for opponent in ["medium", "hard"] {
        for seed in 0..4 {
            let level = generated(seed);
            let bout = (versus().simulate)(&level, opponent, 0.2, seed).expect("an opponent");
            let again = (versus().simulate)(&level, opponent, 0.2, seed).expect("an opponent");
            assert_eq!((bout.status, bout.stoppable), (again.status, again.stoppable));
            assert!(!bout.stoppable);
        }
    }
    assert!((versus().simulate)(&generated(0), "nobody", 0.2, 1).is_none());
    assert!((versus().simulate)(&generated(0), "easy", f64::NAN, 1).is_none());
}

// ------------------------------------------------------------------------------------------------------- files, notation, switches

#[test]
fn boards_are_read_as_they_are_written_and_faults_name_their_place() {
    let level = level(&[" 1  2 10", "#  . 3", "4 5 6"]);
    assert_eq!(Readout::to_file(&level).board, [" 1  2 10", " #  .  3", " 4  5  6"]);
    let fault = |rows: &[&str]| {
        let file = File { board: rows.iter().map(|r| r.to_string()).collect() };
        Readout::from_file(file).expect_err("a fault").at
    };
    assert_eq!(fault(&["1 2 3", "4  x 6"]), Some((1, 3)));
    assert_eq!(fault(&["1 2 3", "4 5"]), Some((1, 3)));
    assert_eq!(fault(&["1 2 3", "4 5 6 7"]), Some((1, 6)));
    assert_eq!(fault(&["1 2 37"]), Some((0, 4)));
    assert_eq!(fault(&["1 2 3 4 5 6 7"]), Some((0, 12)));
    assert_eq!(fault(&["1"; 7]), Some((6, 0)));
    assert_eq!(fault(&[&"1 ".repeat(100_000)]), Some((0, 0)));
    assert_eq!(fault(&["1 -2 3"]), Some((0, 2)));
    assert_eq!(fault(&[]), None);
    assert_eq!(fault(&["  "]), None);
    assert!(ron::from_str::<File>("(board: [\"1 .\"], colour: 3)").is_err(), "unknown fields are refused");
}

#[test]
fn lines_are_read_as_they_are_written_and_nonsense_is_a_fault() {
    let level = almost();
    let line = vec![
        slide(24, Dir::Left),
        Move::Pin { tile: 3 },
        Move::Fill { at: cell(2, 4) },
        Move::Wait,
        Move::Pass,
        Move::TimeUp,
        Move::SetOpponent(Opponent::Hard),
    ];
    let text = Readout::write_line(&level, &line);
    assert_eq!(text, "24L pin3 fill2,4 wait pass timeout @hard");
    assert_eq!(Readout::read_line(&level, &text), Ok(line.clone()));
    assert_eq!(Readout::read_line(&level, &text.to_lowercase()), Ok(line));
    assert_eq!(Readout::read_line(&level, "  "), Ok(Vec::new()));
    for bad in [
        "L", "24", "0L", "37L", "999999L", "+3L", "-3L", "24X", "@nobody", "pin", "pin0", "fill9,9", "fill-1,0",
        "fillx", "ü", "日L", "24L,23R",
    ] {
        assert!(Readout::read_line(&level, bad).is_err(), "{bad}");
    }
    let fault = Readout::read_line(&level, "24L\n23R nonsense").expect_err("a fault");
    assert_eq!((fault.line, fault.column), (Some(2), Some(5)));
}

#[test]
fn rule_switches_go_through_their_values_and_back() {
    let mut level = almost();
    let changed = [
        ("opponent", Value::from("hard")),
        ("obstacle", "fill".into()),
        ("life", 3.into()),
        ("budget", "unlimited".into()),
        ("cooldown", 7.into()),
        ("at_once", 2.into()),
        ("move_limit", "unlimited".into()),
        ("turn_clock", 30.into()),
    ];
    for (name, value) in &changed {
        assert!(Readout::rules().iter().any(|p| p.name == *name && p.check(value).is_ok()));
        Readout::set_rule(&mut level, name, value);
        assert_eq!(Readout::rule_values(&level).0.get(*name), Some(value));
    }
    assert_eq!(Values::defaults(&Readout::rules()), Readout::rule_values(&almost()));
    let before = level.clone();
    for (name, value) in
        [("life", Value::from(-1)), ("life", "x".into()), ("budget", 1_000_000.into()), ("nonsense", true.into())]
    {
        Readout::set_rule(&mut level, name, &value);
    }
    assert_eq!(level, before, "what no parameter takes changes nothing");
}

#[test]
fn drafts_say_what_is_wrong_with_them() {
    let texts = |rows: &[&str]| -> Vec<String> {
        let problems = Readout::problems(&level(rows));
        problems.into_iter().filter(|p| p.severity == Severity::Error).map(|p| p.text).collect()
    };
    assert!(texts(&["1 2", ". 3"])[0].contains("too small"));
    assert!(texts(&["1 2 3", "4 5 6", "7 8 9"])[0].contains("no gap"));
    assert!(texts(&[". . .", ". . .", ". . ."])[0].contains("no digit"));
    assert!(texts(&["1 2 3", "4 5 6", "7 7 ."])[0].contains("more than one tile has the digit 7"));
    assert!(texts(&["1 2 3", "4 5 6", "7 9 ."])[0].contains("8 is missing"));
    assert!(texts(&["1 2 3", "4 5 6", "8 7 ."])[0].contains("never"));
    assert!(Readout::arrange(&level(&["1 2 3", "4 5 6", "7 7 ."])).is_none());
    assert!(
        Readout::arrange(&level(&["1 2 3", "4 5 6", "8 7 ."])).is_some(),
        "an unsortable draft can still be replayed"
    );
    assert!(texts(&["3 # .", "2 # #", "1 . 4"])[0].contains("part of the board"));
    let warned = Readout::problems(&literal());
    assert!(warned.iter().any(|p| p.severity == Severity::Warning && p.text.contains("draw")));
}

// ----------------------------------------------------------------------------------------------------------- generator and levels

#[test]
fn a_seed_gives_the_same_level_and_a_wished_distance_is_met_exactly() {
    let params = Readout::params();
    let make = |values: &Values, seed| {
        let values = values.checked(&params).expect("in range");
        Readout::generate(&values, seed, &mut Probe::new(Limits::default()))
    };
    for (distance, w, gaps, fixed) in
        [(1, 3, 1, 0), (12, 3, 1, 0), (20, 4, 1, 1), (25, 5, 1, 0), (9, 4, 2, 0), (14, 5, 2, 2)]
    {
        let wish = Values::default().with("distance", distance).with("width", w).with("height", w);
        let wish = wish.with("gaps", gaps).with("fixed", fixed);
        for seed in 0..3 {
            let (a, b) = (make(&wish, seed).expect("made"), make(&wish, seed).expect("made"));
            assert_eq!((&a.level, &a.line), (&b.level, &b.line));
            assert_eq!((a.line.len() as i64, a.measured["optimal"]), (distance, 1.0));
            assert_eq!(replayed(&a.level, 0, &a.line), Status::Won);
            assert!(
                matches!(solve(&a.level, 0, 50_000_000), Outcome::Solved { line, optimal: true, .. } if line.len() as i64 == distance)
            );
        }
    }
    let too_far = Values::default().with("distance", 60).with("width", 3).with("height", 3);
    assert!(matches!(make(&too_far, 1), Err(NotMade::Refused(_))));
    let too_full = Values::default().with("fixed", 8).with("width", 3).with("height", 3);
    assert!(matches!(make(&too_full, 1), Err(NotMade::Refused(_))));
}

#[test]
fn every_preset_makes_a_level_that_can_be_started() {
    for preset in Readout::presets() {
        let values = preset.values.checked(&Readout::params()).expect("in range");
        let made = Readout::generate(&values, 7, &mut Probe::new(Limits::default())).expect("made");
        assert!(Readout::start(&made.level).is_ok(), "{}", preset.id);
        assert_eq!(replayed(&made.level, 0, &made.line), Status::Won, "{}", preset.id);
    }
    let ids: Vec<_> = Readout::presets().iter().map(|p| p.id).collect();
    assert_eq!(ids, ["easy", "medium", "hard", "literal"]);
}

#[test]
fn levels_made_with_an_opponent_can_be_won_against_it_or_say_that_this_is_not_shown() {
    let make = |values: Values, seed| {
        let values = values.checked(&Readout::params()).expect("in range");
        Readout::generate(&values, seed, &mut Probe::new(Limits::default())).expect("made")
    };
    for opponent in ["easy", "medium", "hard"] {
        for seed in 0..3 {
            let made = make(Values::default().with("opponent", opponent).with("walk", 20), seed);
            let nodes = made.measured["nodes"];
            assert!(made.measured["winnable"] == 1.0 && nodes < 24_000_000.0, "{opponent}, seed {seed}: {nodes} nodes");
            let Outcome::Solved { line, .. } = solve(&made.level, 1, 8_000_000) else {
                panic!("{opponent}, seed {seed}")
            };
            assert_eq!(replayed(&made.level, 1, &line), Status::Won, "{opponent}, seed {seed}");
            let alone = make(Values::default().with("opponent", "none").with("walk", 20), seed);
            assert!(!alone.measured.contains_key("winnable"), "there is nobody to win against");
        }
    }
    let hopeless = make(Values::default().with("opponent", "hard").with("walk", 60).with("move_limit", 10), 1);
    assert_eq!(hopeless.measured["winnable"], 0.0);
}

/// A level file as far as this game is concerned.
#[derive(serde::Deserialize)]
struct Shipped {
    game: String,
    title: String,
    rules: Values,
    level: File,
}

#[test]
fn the_fifteen_shipped_levels_are_playable_and_solved() {
    let texts = Readout::INFO.levels;
    assert_eq!(texts.len(), 15);
    for text in texts {
        let file: Shipped = ron::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(file.game, "readout");
        let mut level = Readout::from_file(file.level).unwrap_or_else(|f| panic!("{}: {}", file.title, f.text));
        for (name, value) in &file.rules.0 {
            assert!(
                Readout::rules().iter().any(|p| p.name == name && p.check(value).is_ok()),
                "{}: {name}",
                file.title
            );
            Readout::set_rule(&mut level, name, value);
        }
        assert!(Readout::start(&level).is_ok(), "{}", file.title);
        let Outcome::Solved { line, .. } = solve(&level, 0, 20_000_000) else { panic!("{}", file.title) };
        assert_eq!(replayed(&level, 0, &line), Status::Won, "{}", file.title);
    }
}

// --------------------------------------------------------------------------------------------------------------------- the editor

fn ink(id: &str, level: &Level) -> Ink {
    let swatch = Readout::palette(level).swatches.iter().position(|s| s.id == id).expect("a swatch");
    Ink { swatch, ..Ink::default() }
}

#[test]
fn painting_a_digit_exchanges_it_with_what_was_there() {
    let mut level = three();
    let seven = ink("7", &level);
    Readout::paint(&mut level, seven, &[cell(1, 2).into()]);
    assert_eq!(Readout::to_file(&level).board[2], ". 7 8");
    let swap = ink("swap", &level);
    Readout::paint(&mut level, swap, &[cell(0, 0).into(), cell(1, 0).into(), cell(2, 0).into()]);
    assert_eq!(Readout::to_file(&level).board[0], "3 2 1");
    let fixed = ink("fixed", &level);
    Readout::paint(&mut level, fixed, &[cell(0, 1).into(), cell(99, 99).into()]);
    assert_eq!(level.squares[cell(0, 1)], Square::Fixed);
    for c in level.squares.size().cells() {
        let mut same = level.clone();
        let picked = Readout::pick(&level, c.into());
        Readout::paint(&mut same, picked, &[c.into()]);
        assert_eq!(same, level, "what is picked up paints the same");
    }
}

#[test]
fn a_move_limit_that_is_too_low_is_raised_by_the_same_command() {
    let mut level = Readout::blank(Size::new(5, 5));
    Readout::command(&mut level, "shuffle", 7).expect("shuffled");
    level.rules.move_limit = Some(20);
    let problem = Readout::problems(&level).into_iter().find(|p| p.text.contains("move limit")).expect("a warning");
    assert_eq!(problem.mend, Some("swap"));
    let before = level.squares.clone();
    Readout::command(&mut level, "swap", 1).expect("mended");
    assert_eq!(level.squares, before);
    assert!(level.rules.move_limit.is_some_and(|n| n >= 100), "{:?}", level.rules.move_limit);
    assert!(Readout::problems(&level).iter().all(|p| !p.text.contains("move limit")));
    assert!(Readout::command(&mut level, "swap", 1).is_err(), "nothing to mend any more");
}

#[test]
fn an_unsortable_draft_is_mended_by_one_command() {
    for rows in [
        vec!["1 2 3", "4 5 6", "8 7 ."],
        vec!["2 1 3 4 5", "6 7 8 9 10", "11 12 13 14 15", "16 17 18 19 20", "21 22 23 24 ."],
    ] {
        let mut level = level(&rows);
        let problem = Readout::problems(&level).into_iter().find(|p| p.severity == Severity::Error).expect("parity");
        assert_eq!(problem.mend, Some("swap"));
        Readout::command(&mut level, "swap", 1).expect("mended");
        assert!(!Readout::problems(&level).iter().any(|p| p.severity == Severity::Error));
        assert!(Readout::command(&mut level, "swap", 1).is_err(), "nothing to mend any more");
    }
    let mut ring = level(&["1 2 3", "5 # 4", "7 6 ."]);
    let mend = Readout::problems(&ring)[0].mend.expect("a mend");
    Readout::command(&mut ring, mend, 3).expect("mended");
    assert!(!Readout::problems(&ring).iter().any(|p| p.severity == Severity::Error));
}

#[test]
fn shuffle_renumber_fill_up_and_order_leave_playable_drafts() {
    let mut level = level(&["9 7 7", "1 . 3", ". 4 5"]);
    Readout::command(&mut level, "renumber", 1).expect("renumbered");
    assert_eq!(level.digits(), [1, 2, 3, 4, 5, 6, 7]);
    Readout::command(&mut level, "fill-up", 1).expect("filled");
    assert_eq!(level.digits().len(), 8);
    for seed in 0..20 {
        Readout::command(&mut level, "shuffle", seed).expect("shuffled");
        assert!(Readout::start(&level).is_ok() && level.squares != level.target());
    }
    Readout::command(&mut level, "order", 1).expect("ordered");
    assert_eq!(level.squares, level.target());
    assert!(Readout::command(&mut level, "nonsense", 1).is_err());
}

// ----------------------------------------------------------------------------------------------------------------------- the view

fn click(level: &Level, state: &State, ui: &mut Ui, x: i16, y: i16) -> (Vec<Move>, Option<String>) {
    let at = point(f32::from(x) + 0.5, f32::from(y) + 0.5);
    Readout::input(level, state, ui, &Input::Press(at));
    let reaction = Readout::input(level, state, ui, &Input::Release(at));
    (reaction.moves, reaction.say)
}

#[test]
fn a_click_on_a_tile_slides_it_and_the_click_on_the_gap_after_it_does_no_harm() {
    let level = nearly().with_rules(|r| r.opponent = Opponent::None);
    let (mut state, mut ui) = (start(&level), Ui::default());
    assert_eq!(click(&level, &state, &mut ui, 3, 4).0, [slide(23, Dir::Left)]);
    play(&level, &mut state, "23L");
    let (moves, said) = click(&level, &state, &mut ui, 2, 4);
    assert!(moves.is_empty() && said.is_some_and(|s| s.contains("just moved")), "the gap it went to");
    assert_eq!(click(&level, &state, &mut ui, 2, 4).0, [slide(23, Dir::Right)], "a second click means it");
    assert!(click(&level, &state, &mut ui, 0, 0).1.is_some_and(|s| s.contains("no gap beside 1")));
}

#[test]
fn a_tile_beside_two_gaps_is_chosen_and_then_sent() {
    let level = level(&["1 2 3", "4 5 6", ". 7 ."]);
    let (state, mut ui) = (start(&level), Ui::default());
    assert!(click(&level, &state, &mut ui, 1, 2).0.is_empty());
    assert_eq!(click(&level, &state, &mut ui, 2, 2).0, [slide(7, Dir::Right)]);
}

#[test]
fn a_drag_pulls_the_whole_line_towards_the_gap() {
    let level = level(&["1 2 3 4 5", "6 7 8 9 10", "11 12 13 14 15", "16 17 18 19 20", ". 21 22 23 24"]);
    let (state, mut ui) = (start(&level), Ui::default());
    Readout::input(&level, &state, &mut ui, &Input::Press(point(4.5, 4.5)));
    Readout::input(&level, &state, &mut ui, &Input::Drag(point(4.0, 4.5)));
    let drag = Readout::input(&level, &state, &mut ui, &Input::Release(point(3.4, 4.6)));
    assert_eq!(drag.moves, [21, 22, 23, 24].map(|t| slide(t, Dir::Left)));
    Readout::input(&level, &state, &mut ui, &Input::Press(point(4.5, 4.5)));
    let wrong = Readout::input(&level, &state, &mut ui, &Input::Release(point(4.5, 2.5)));
    assert!(wrong.moves.is_empty() && wrong.say.is_some());
}

#[test]
fn arrows_slide_into_the_gap_and_tab_and_space_choose_and_slide() {
    let level = nearly();
    let (state, mut ui) = (start(&level), Ui::default());
    let key = |ui: &mut Ui, key| Readout::input(&level, &state, ui, &Input::Key(key));
    assert_eq!(key(&mut ui, Key::Dir(Dir::Left)).moves, [slide(23, Dir::Left)]);
    assert_eq!(key(&mut ui, Key::Dir(Dir::Down)).moves, [slide(18, Dir::Down)]);
    assert!(key(&mut ui, Key::Dir(Dir::Up)).say.is_some(), "nothing is below the gap");
    key(&mut ui, Key::Next(true));
    key(&mut ui, Key::Next(true));
    assert_eq!(key(&mut ui, Key::Activate).moves, [slide(22, Dir::Right)]);
    assert!(key(&mut ui, Key::Cancel).used);
}

#[test]
fn nothing_moves_in_the_opponents_turn_and_notices_say_whose_turn_it_is() {
    let level = nearly();
    let state = played(&level, "22R");
    let mut ui = Ui::default();
    let (moves, said) = click(&level, &state, &mut ui, 2, 4);
    assert!(moves.is_empty() && said.is_some_and(|s| s.contains("Medium's turn")));
    let notices = Readout::about_position(&level, &state).join("; ");
    for part in ["Medium's turn", "59 moves left", "1 slide made", "8 obstacles left"] {
        assert!(notices.contains(part), "{notices}");
    }
    let pinned = played(&level, "22R pin22");
    let notices = Readout::about_position(&level, &pinned).join("; ");
    for part in ["Your turn", "22 is pinned for 1 more turn", "the next after 3 turns"] {
        assert!(notices.contains(part), "{notices}");
    }
    let offers = (versus().offers)(&level, &pinned);
    assert_eq!(offers.iter().filter(|o| o.chosen).count(), 1);
    for offer in offers {
        assert!(Readout::play(&level, &mut pinned.clone(), &offer.mv).is_ok(), "{}", offer.label);
    }
}

// ------------------------------------------------------------------------------------------------------------------- the cache

/// Homes of the program, with empty caches or full ones.
struct Homes(tempfile::TempDir);

impl Homes {
    fn new() -> Homes {
        Homes(tempfile::tempdir().expect("a temporary folder"))
    }

    /// What a command prints.
    fn run(&self, home: &str, args: &[&str]) -> String {
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_tilewright"))
            .args(args)
            .current_dir(self.0.path())
            .env("TILEWRIGHT_HOME", self.0.path().join(home))
            .output()
            .expect("the program starts");
        // Stopped at a limit (3) is an answer too.
        let good = program.status.success() || program.status.code() == Some(3);
        assert!(good, "{args:?}: {}", String::from_utf8_lossy(&program.stderr));
        String::from_utf8(program.stdout).expect("UTF-8")
    }

    fn lines(&self, home: &str, args: &[&str]) -> Vec<serde_json::Value> {
        self.run(home, args).lines().map(|l| serde_json::from_str(l).expect("JSON")).collect()
    }

    /// Solves something, which fills the cache.
    fn fill(&self, home: &str, level: &str) {
        self.run(home, &["solve", level, "--goal", "slides", "--time", "600", "--json"]);
        assert_eq!(self.tables(home), 1, "solving makes the tables");
    }

    /// The tables in the cache of a home.
    fn tables(&self, home: &str) -> usize {
        let files = std::fs::read_dir(self.0.path().join(home).join("cache")).into_iter().flatten().flatten();
        let whole = |f: &std::fs::DirEntry| f.metadata().is_ok_and(|m| m.len() > 30_000_000);
        files.filter(|f| f.path().extension().is_some_and(|e| e == "tables") && whole(f)).count()
    }
}

/// Rates levels with an empty cache and with a full one. All are such that the small tables do not prove the minimum within the nodes of a rating
/// and the large ones do, so that a rating which looked into the cache would say something else.
fn rated_alike(count: usize, nodes: &str) {
    let homes = Homes::new();
    let (mut kept, mut seed) = (0, 0);
    std::fs::create_dir(homes.0.path().join("kept")).expect("a folder");
    homes.run("bare", &["generate", "readout", "--seed", "5", "--set", "walk=90", "--out", "some"]);
    homes.fill("full", "some");
    while kept < count {
        assert!(seed < 100 * count as u64, "{kept} levels of {seed}");
        seed += 1;
        let of = seed.to_string();
        homes.run("bare", &["generate", "readout", "--seed", &of, "--set", "walk=90", "--out", &format!("made/{of}")]);
        let from = format!("made/{of}");
        let small = &homes.lines("bare", &["solve", &from, "--goal", "slides", "--nodes", nodes, "--json"])[0];
        let large = &homes.lines("full", &["solve", &from, "--goal", "slides", "--time", "20", "--json"])[0];
        let within = large["nodes"].as_u64() <= nodes.parse().ok();
        if small["optimal"] == false && large["optimal"] == true && within {
            kept += 1;
            let mut files = std::fs::read_dir(homes.0.path().join(&from)).expect("a folder").flatten();
            let file = files.find(|f| f.file_name() != "pack.ron").expect("a level");
            std::fs::copy(file.path(), homes.0.path().join(format!("kept/{kept:03}.ron"))).expect("copied");
        }
    }
    let rate = |home| homes.run(home, &["rate", "kept", "--nodes", nodes, "--json"]);
    let bare = rate("bare");
    assert_eq!(homes.tables("bare"), 0, "rating makes no tables");
    assert_eq!(bare.lines().count(), count);
    assert_eq!(bare, rate("full"));
    println!("{count} levels of {seed}, {nodes} nodes: the same\n{bare}");
}

#[test]
#[ignore = "long: builds the large tables, and rates 100 levels"]
fn a_hundred_ratings_are_the_same_with_an_empty_and_a_full_cache() {
    rated_alike(100, "200000");
}

#[test]
#[ignore = "long: builds the large tables"]
fn play_gives_the_same_games_with_and_without_tables_in_the_cache() {
    let homes = Homes::new();
    homes.run("bare", &["generate", "readout", "--count", "4", "--seed", "5", "--set", "walk=90", "--out", "levels"]);
    homes.fill("full", "levels");
    for opponent in ["easy", "medium", "hard"] {
        let games = |home| {
            let args = ["play", "levels", "--opponent", opponent, "--human", "0.2", "--games", "40", "--json"];
            let mut line = homes.lines(home, &args).remove(0);
            line.as_object_mut().expect("an object").remove("slowest_reply_ms");
            line
        };
        let bare = games("bare");
        assert_eq!(bare, games("full"), "{opponent}");
        println!("{bare}");
    }
    assert_eq!(homes.tables("bare"), 0, "nothing was made on the way");
}
