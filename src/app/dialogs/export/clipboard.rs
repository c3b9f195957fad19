//! A level on the clipboard: its share code, its picture.

use crate::{
    app::workshop::Workshop,
    export::{self, Options},
    game::NotMade,
    job::{Job, Limits},
};

/// A picture on its way: width, height and pixels.
pub(super) type Copying = Job<Result<(u32, u32, Vec<u8>), NotMade>>;

/// Puts the share code of the level in front on the clipboard.
pub(in crate::app) fn copy_code(ctx: &egui::Context, w: &mut Workshop) {
    let Some(open) = w.session.current() else {
        w.say("open a level first");
        return;
    };
    let code = export::code(&*open.doc);
    w.say(format!("share code copied ({} letters): paste it anywhere, also here", code.len()));
    ctx.copy_text(code);
}

/// Begins to put a picture of the level in front on the clipboard.
pub(in crate::app) fn copy_picture(w: &mut Workshop) {
    let Some(open) = w.session.current() else {
        w.say("open a level first");
        return;
    };
    let (doc, wake) = (open.doc.duplicate(), w.services.wake.clone());
    let options = Options { colours: w.colours.clone(), ..Options::default() };
    w.export.copying =
        Some(Job::spawn(Limits::default(), move || wake(), move |_| export::png::pixels(&*doc, &options)));
}

/// Takes in a picture for the clipboard.
pub(super) fn tick(ctx: &egui::Context, w: &mut Workshop) {
    let Some(answer) = w.export.copying.as_ref().and_then(Job::poll) else { return };
    w.export.copying = None;
    match answer {
        Ok(Ok((width, height, pixels))) => {
            let size = [width as usize, height as usize];
            ctx.copy_image(egui::ColorImage::from_rgba_unmultiplied(size, &pixels));
            w.say(format!("picture copied ({width} x {height} pixels)"));
        }
        Ok(Err(NotMade::Refused(text))) | Err(text) => w.complain(text),
        Ok(Err(NotMade::Stopped(_))) => {}
    }
}
