//! Campaigns: the same levels on every machine, and all of them solvable.

use std::path::Path;
use tilewright::{
    document::AnyGame,
    game::Status,
    games,
    job::{Limits, Probe},
};

fn level(game: &dyn AnyGame, n: u32) -> Box<dyn tilewright::document::Doc> {
    let id = game.info().id;
    game.campaign_level(n, &mut Probe::new(Limits::default())).unwrap_or_else(|e| panic!("{id} {n}: {e:?}"))
}

#[test]
fn a_campaign_made_from_numbers_is_the_one_written_down_and_every_level_can_be_won() {
    for game in games::offered().iter().filter(|g| g.campaign_len() > 0) {
        let id = game.info().id;
        if level(*game, 1).origin().is_none() {
            // A shipped pack: its levels are texts, and their solutions are proven elsewhere.
            assert_eq!(game.campaign_len() as usize, game.info().levels.len(), "{id}");
            continue;
        }
        let mut table = String::new();
        for n in 1..=game.campaign_len() {
            let doc = level(*game, n);
            let line = &doc.kept().first().unwrap_or_else(|| panic!("{id} {n} has no solution")).moves;
            let rows = doc.replay_now(line, false).unwrap_or_else(|e| panic!("{id} {n}: {e}"));
            assert!(rows.last().is_some_and(|r| r.status == Status::Won), "{id} {n}: its solution wins");
            let preset = doc.origin().map(|o| o.preset.clone()).unwrap_or_default();
            table += &format!("{n} {preset} {}\n", doc.identity().exact);
        }
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(id).join("campaign.txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &table).expect("the table is written");
        }
        let known = std::fs::read_to_string(&golden).expect("the table of the campaign");
        assert_eq!(table, known, "{id}: a campaign's levels never change; their generator's version must stay theirs");
    }
}

#[test]
fn there_is_no_level_before_the_first_and_none_after_the_last() {
    for game in games::offered() {
        let mut probe = Probe::new(Limits::default());
        for n in [0, game.campaign_len() + 1, u32::MAX] {
            assert!(game.campaign_level(n, &mut probe).is_err(), "{} {n}", game.info().id);
        }
    }
}
