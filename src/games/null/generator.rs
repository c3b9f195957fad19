//! Lamps on random cells.

use super::{Level, Null, rules};
use crate::{
    game::{Generate, Made, NotMade, Param, Preset, Rules, Values, rng},
    grid::{Grid, Size},
    job::Probe,
};
use rand::RngExt as _;
use std::collections::BTreeMap;

impl Generate for Null {
    const VERSION: u32 = 1;

    fn params() -> Vec<Param> {
        vec![
            Param::number("width", "Width", "Columns of the board.", (1, 16), 4),
            Param::number("height", "Height", "Rows of the board.", (1, 16), 3),
            Param::number("lamps", "Lamps", "How many lamps burn.", (1, 256), 5),
        ]
    }

    fn presets() -> Vec<Preset> {
        vec![Preset { id: "few", name: "Few", values: Values::default() }]
    }

    fn generate(values: &Values, seed: u64, probe: &mut Probe) -> Result<Made<Null>, NotMade> {
        probe.tick()?;
        let [w, h, lamps] = ["width", "height", "lamps"].map(|n| values.number(n).unwrap_or(1));
        let size = Size::new(w as u16, h as u16);
        let lamps = lamps as usize;
        if lamps > size.area() {
            return Err(NotMade::Refused(format!("{lamps} lamps do not fit on {} cells", size.area())));
        }
        let mut rng = rng(seed);
        let mut level = Level { lamps: Grid::filled(size, false), cross: false };
        let mut free: Vec<_> = size.cells().collect();
        for _ in 0..lamps {
            let c = free.swap_remove(rng.random_range(0..free.len()));
            level.lamps[c] = true;
        }
        let line = Null::arrange(&level).map(|s| rules::burning(&s)).unwrap_or_default();
        let measured = BTreeMap::from([("cost".to_string(), lamps as f64), ("optimal".to_string(), 1.0)]);
        Ok(Made { level, line, measured })
    }
}
