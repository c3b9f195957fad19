//! A game without its types: what the registry, the commands and the panels know of it.

use super::{Doc, Document};
use crate::{
    analysis::{Replayed, stage},
    formats::native,
    game::{Fault, Format, Game, Goal, Info, Item, Meta, NotMade, Origin, Overlay, Param, Preset, Values, Written},
    grid::{Size, Sym},
    job::{Probe, Stop},
};
use std::{collections::BTreeMap, marker::PhantomData, sync::Arc};

/// A format of another program, without its types.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// Short name.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// File name endings.
    pub extensions: &'static [&'static str],
    /// Whether it can be written.
    pub writes: bool,
}

/// The levels of a file. Each becomes a document, which takes many times the memory of the level alone, only when it is taken.
pub type Docs = Box<dyn ExactSizeIterator<Item = Box<dyn Doc>> + Send>;

/// A generated level.
pub struct MadeDoc {
    /// The level, with its solution and its origin.
    pub doc: Box<dyn Doc>,
    /// What was measured.
    pub measured: BTreeMap<String, f64>,
}

/// A game as the registry knows it. Object-safe.
pub trait AnyGame: Sync {
    /// What it says about itself.
    fn info(&self) -> &'static Info;
    /// The solver's goals; the first is the default.
    fn goals(&self) -> &'static [Goal];
    /// The rule switches of its levels.
    fn rules(&self) -> Vec<Param>;
    /// The generator's parameters.
    fn params(&self) -> Vec<Param>;
    /// The generator's presets; the first is the default.
    fn presets(&self) -> Vec<Preset>;
    /// A sentence about generator values.
    fn remark(&self, values: &Values) -> Option<String>;
    /// The symmetries its levels have.
    fn symmetries(&self) -> &'static [Sym];
    /// Whether only some of the legal moves are listed.
    fn endless(&self) -> bool;
    /// The opponents' names.
    fn opponents(&self) -> &'static [&'static str];
    /// Overlays it can compute.
    fn overlays(&self) -> &'static [Overlay];
    /// Least, greatest and usual size of a board.
    fn sizes(&self) -> (Size, Size, Size);
    /// What it prepares in the background, as words.
    fn prepares(&self) -> Option<&'static str>;
    /// Prepares it.
    fn prepare(&self, probe: &mut Probe) -> Result<(), Stop>;
    /// An empty draft.
    fn blank(&self, size: Size) -> Box<dyn Doc>;
    /// Makes a level from a seed. `preset` is only written down.
    fn generate(&self, preset: &str, values: &Values, seed: u64, probe: &mut Probe) -> Result<MadeDoc, NotMade>;
    /// How many levels its campaign has: its own, or the shipped pack in order; 0 is none.
    fn campaign_len(&self) -> u32;
    /// How many shipped levels teach the game before a campaign of its own begins.
    fn lessons(&self) -> u32;
    /// The endless runs it offers: name and generator values.
    fn runs(&self) -> Vec<(&'static str, Values)>;
    /// Opens a level of its campaign, counted from 1. The same number gives the same level on every machine.
    fn campaign_level(&self, level: u32, probe: &mut Probe) -> Result<Box<dyn Doc>, NotMade>;
    /// Reads a native file of this game.
    fn read_native(&self, text: &str) -> Result<Box<dyn Doc>, Fault>;
    /// The other formats it reads or writes.
    fn formats(&self) -> Vec<FormatInfo>;
    /// The format that a text is in, if it is one of this game's.
    fn recognise(&self, text: &str) -> Option<&'static str>;
    /// Reads a text in one of them.
    fn read_format(&self, id: &str, text: &str) -> Result<Docs, Fault>;
    /// Writes levels, given as native texts, in one of them.
    fn write_format(&self, id: &str, natives: &[String]) -> Result<Written, Fault>;
}

/// The one implementation of [`AnyGame`].
pub struct Erased<G>(PhantomData<fn() -> G>);

impl<G: Game> Erased<G> {
    const ONE: Erased<G> = Erased(PhantomData);

    /// The game as an object.
    pub const fn get() -> &'static dyn AnyGame {
        const { &Self::ONE }
    }
}

fn format<G: Game>(id: &str) -> Result<Format<G>, Fault> {
    let known = G::formats();
    let names: Vec<_> = known.iter().map(|f| f.id).collect();
    let text = format!("{} has no format {id} (it has {})", G::INFO.name, names.join(", "));
    known.into_iter().find(|f| f.id == id).ok_or_else(|| Fault::new(text))
}

impl<G: Game> AnyGame for Erased<G> {
    fn info(&self) -> &'static Info {
        const { &G::INFO }
    }
    fn goals(&self) -> &'static [Goal] {
        G::GOALS
    }
    fn rules(&self) -> Vec<Param> {
        G::rules()
    }
    fn params(&self) -> Vec<Param> {
        G::params()
    }
    fn presets(&self) -> Vec<Preset> {
        G::presets()
    }
    fn remark(&self, values: &Values) -> Option<String> {
        G::about_values(values)
    }
    fn symmetries(&self) -> &'static [Sym] {
        G::symmetries()
    }
    fn endless(&self) -> bool {
        G::ENDLESS
    }
    fn opponents(&self) -> &'static [&'static str] {
        G::versus().map_or(&[], |v| v.opponents)
    }
    fn overlays(&self) -> &'static [Overlay] {
        G::overlays()
    }
    fn sizes(&self) -> (Size, Size, Size) {
        (G::SIZES.0, G::SIZES.1, G::NEW)
    }
    fn prepares(&self) -> Option<&'static str> {
        G::tables().map(|t| t.name)
    }
    fn prepare(&self, probe: &mut Probe) -> Result<(), Stop> {
        G::tables().map_or(Ok(()), |t| (t.prepare)(probe))
    }
    fn blank(&self, size: Size) -> Box<dyn Doc> {
        let (least, most) = G::SIZES;
        let size = Size::new(size.w.clamp(least.w, most.w), size.h.clamp(least.h, most.h));
        Box::new(Document::<G>::new(Item::new("", G::blank(size))))
    }
    fn generate(&self, preset: &str, values: &Values, seed: u64, probe: &mut Probe) -> Result<MadeDoc, NotMade> {
        let values = values.checked(&G::params()).map_err(NotMade::Refused)?;
        let made = G::generate(&values, seed, probe)?;
        let level = Arc::new(made.level);
        let start = G::start(&level).map_err(|problems| {
            NotMade::Refused(format!("the generator made a level that cannot be played: {}", problems[0].text))
        })?;
        let line = Replayed::<G>::new(stage::<G>(&level, &start, 0), 0, made.line, true);
        let optimal = made.measured.get("optimal") == Some(&1.0);
        let Some(solution) = line.and_then(|line| line.solution(optimal, "generator")) else {
            return Err(NotMade::Refused("the generator's own solution does not win: please report this seed".into()));
        };
        let origin = Origin { preset: preset.into(), params: values, seed, version: G::VERSION };
        let named = G::presets().into_iter().find(|p| p.id == preset).map_or(G::INFO.name, |p| p.name);
        let title = format!("{named} {seed}");
        let meta = Meta { title, ..Meta::default() };
        let item = Item { meta, level: Arc::unwrap_or_clone(level), solutions: vec![solution], origin: Some(origin) };
        Ok(MadeDoc { doc: Box::new(Document::<G>::new(item)), measured: made.measured })
    }
    fn runs(&self) -> Vec<(&'static str, Values)> {
        G::runs()
    }
    fn campaign_len(&self) -> u32 {
        G::campaign().map_or(G::INFO.levels.len() as u32, |c| c.levels)
    }
    fn lessons(&self) -> u32 {
        G::campaign().map_or(0, |_| G::INFO.levels.len() as u32)
    }
    fn campaign_level(&self, level: u32, probe: &mut Probe) -> Result<Box<dyn Doc>, NotMade> {
        let refused = |text: String| NotMade::Refused(text);
        if !(1..=self.campaign_len()).contains(&level) {
            return Err(refused(format!("the campaign has no level {level}: it has {}", self.campaign_len())));
        }
        let Some(campaign) = G::campaign() else {
            let text = G::INFO.levels[level as usize - 1];
            return self.read_native(text).map_err(|f| refused(format!("a shipped level is damaged: {f}")));
        };
        let (id, seed) = (campaign.recipe)(level);
        let presets = G::presets();
        let Some(preset) = presets.iter().find(|p| p.id == id) else {
            return Err(refused(format!("{} has no preset {id}", G::INFO.name)));
        };
        let mut doc = self.generate(id, &preset.values, seed, probe)?.doc;
        doc.set_meta(Meta { title: format!("Level {level} ({})", preset.name), ..Meta::default() });
        doc.mark_saved();
        Ok(doc)
    }
    fn read_native(&self, text: &str) -> Result<Box<dyn Doc>, Fault> {
        Ok(Box::new(Document::<G>::new(native::read::<G>(text)?)))
    }
    fn formats(&self) -> Vec<FormatInfo> {
        let info =
            |f: Format<G>| FormatInfo { id: f.id, name: f.name, extensions: f.extensions, writes: f.write.is_some() };
        G::formats().into_iter().map(info).collect()
    }
    fn recognise(&self, text: &str) -> Option<&'static str> {
        G::formats().into_iter().find(|f| (f.recognises)(text)).map(|f| f.id)
    }
    fn read_format(&self, id: &str, text: &str) -> Result<Docs, Fault> {
        let items = (format::<G>(id)?.read)(text)?;
        Ok(Box::new(items.into_iter().map(|i| Box::new(Document::<G>::new(i)) as Box<dyn Doc>)))
    }
    fn write_format(&self, id: &str, natives: &[String]) -> Result<Written, Fault> {
        let format = format::<G>(id)?;
        let Some(write) = format.write else {
            return Err(Fault::new(format!("{} can be read but not written", format.name)));
        };
        let items: Vec<_> = natives.iter().map(|t| native::read::<G>(t)).collect::<Result<_, _>>()?;
        write(&items)
    }
}
