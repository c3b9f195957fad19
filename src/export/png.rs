//! A level as a PNG picture: the board as a player finds it, in a theme's colours.

use super::{Exported, Options, raster};
use crate::{
    document::{Board, Doc},
    game::NotMade,
};

/// The picture of a level as raw pixels: width, height, and red, green, blue, opacity of each, row by row.
pub fn pixels(doc: &dyn Doc, options: &Options) -> Result<(u32, u32, Vec<u8>), NotMade> {
    let pixmap = pixmap(doc, options)?;
    Ok((pixmap.width(), pixmap.height(), raster::rgba(&pixmap)))
}

fn pixmap(doc: &dyn Doc, options: &Options) -> Result<tiny_skia::Pixmap, NotMade> {
    let extent = doc.extent(Board::Draft);
    let cell_px = options.cell_px(extent, 64, 16 << 20)?;
    let frame = raster::Frame::new(extent, cell_px).map_err(NotMade::Refused)?;
    let picture = doc.opening(&options.colours, cell_px as f32);
    raster::draw(&picture, &frame, options.colours.back).map_err(NotMade::Refused)
}

pub(super) fn write(doc: &dyn Doc, options: &Options) -> Result<Exported, NotMade> {
    let png = pixmap(doc, options)?.encode_png();
    Ok(Exported::new(png.map_err(|e| NotMade::Refused(format!("the picture cannot be written: {e}")))?))
}
