//! Pictures without a GPU: egui's triangles rasterised in plain Rust, the same to the bit on every machine.

use egui::{Color32, ColorImage, TextureId, epaint};
use std::collections::HashMap;

/// A renderer for egui_kittest.
#[derive(Default)]
pub struct Painter {
    textures: HashMap<TextureId, ColorImage>,
}

impl egui_kittest::TestRenderer for Painter {
    fn handle_delta(&mut self, delta: &mut egui::TexturesDelta) {
        for (id, images) in delta.set.drain() {
            for change in images {
                let epaint::ImageData::Color(image) = &change.image;
                let Some([left, top]) = change.pos else {
                    self.textures.insert(id, (**image).clone());
                    continue;
                };
                let whole = self.textures.get_mut(&id).expect("only a known texture is patched");
                for y in 0..image.height() {
                    for x in 0..image.width() {
                        whole[(left + x, top + y)] = image[(x, y)];
                    }
                }
            }
        }
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    fn render(&mut self, ctx: &egui::Context, output: &egui::FullOutput) -> Result<image::RgbaImage, String> {
        let scale = ctx.pixels_per_point();
        let size = ctx.content_rect().size() * scale;
        let (w, h) = (size.x.round() as usize, size.y.round() as usize);
        let mut canvas = Canvas { w, h, pixels: vec![[0.0; 4]; w * h] };
        for clipped in ctx.tessellate(output.shapes.clone(), scale) {
            let epaint::Primitive::Mesh(mesh) = clipped.primitive else {
                return Err("paint callbacks cannot be drawn here".into());
            };
            let texture = self.textures.get(&mesh.texture_id).ok_or("a mesh uses an unknown texture")?;
            let clip = clipped.clip_rect * scale;
            for corner in mesh.indices.chunks_exact(3) {
                let v = [0, 1, 2].map(|i| mesh.vertices[corner[i] as usize]);
                canvas.triangle(v, scale, clip, texture);
            }
        }
        Ok(canvas.finish())
    }
}

struct Canvas {
    w: usize,
    h: usize,
    /// Premultiplied, 0 to 1.
    pixels: Vec<[f32; 4]>,
}

/// Twice the signed area of a triangle; also which side of an edge a point is on.
fn cross(a: (f64, f64), b: (f64, f64), p: (f64, f64)) -> f64 {
    (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)
}

impl Canvas {
    fn triangle(&mut self, v: [epaint::Vertex; 3], scale: f32, clip: egui::Rect, texture: &ColorImage) {
        let at = |v: &epaint::Vertex| (f64::from(v.pos.x * scale), f64::from(v.pos.y * scale));
        let mut v = v;
        let mut area = cross(at(&v[0]), at(&v[1]), at(&v[2]));
        if area == 0.0 {
            return;
        }
        if area < 0.0 {
            v.swap(1, 2);
            area = -area;
        }
        let p = [at(&v[0]), at(&v[1]), at(&v[2])];
        // A shared edge belongs to exactly one of its triangles: the one for which it is a top or left edge.
        let owns = |a: (f64, f64), b: (f64, f64)| (a.1 == b.1 && b.0 > a.0) || b.1 < a.1;
        let edges = [(p[1], p[2]), (p[2], p[0]), (p[0], p[1])];
        let owned = edges.map(|(a, b)| owns(a, b));
        let span = |lo: f64, hi: f64, from: f32, to: f32, most: usize| {
            let from = lo.floor().max(f64::from(from.round())).max(0.0) as usize;
            let to = hi.ceil().min(f64::from(to.round())).clamp(0.0, most as f64) as usize;
            from..to
        };
        let (xs, ys) = (p.map(|q| q.0), p.map(|q| q.1));
        let low = |q: [f64; 3]| q.into_iter().fold(f64::MAX, f64::min);
        let high = |q: [f64; 3]| q.into_iter().fold(f64::MIN, f64::max);
        let colours = v.map(|q| q.color.to_array().map(|c| f32::from(c) / 255.0));
        let flat = v[0].uv == v[1].uv && v[1].uv == v[2].uv;
        let flat_texel = sample(texture, v[0].uv.x, v[0].uv.y);
        for y in span(low(ys), high(ys), clip.min.y, clip.max.y, self.h) {
            for x in span(low(xs), high(xs), clip.min.x, clip.max.x, self.w) {
                let middle = (x as f64 + 0.5, y as f64 + 0.5);
                let side = edges.map(|(a, b)| cross(a, b, middle));
                if (0..3).any(|i| side[i] < 0.0 || (side[i] == 0.0 && !owned[i])) {
                    continue;
                }
                let share = side.map(|s| (s / area) as f32);
                let mix = |f: &dyn Fn(usize) -> f32| (0..3).map(|i| share[i] * f(i)).sum::<f32>();
                let texel = if flat { flat_texel } else { sample(texture, mix(&|i| v[i].uv.x), mix(&|i| v[i].uv.y)) };
                let source: [f32; 4] = std::array::from_fn(|k| mix(&|i| colours[i][k]) * texel[k]);
                let pixel = &mut self.pixels[y * self.w + x];
                for k in 0..4 {
                    pixel[k] = source[k] + pixel[k] * (1.0 - source[3]);
                }
            }
        }
    }

    fn finish(self) -> image::RgbaImage {
        let byte = |c: f32| (c * 255.0).round() as u8;
        let bytes = self.pixels.iter().flat_map(|p| {
            Color32::from_rgba_premultiplied(byte(p[0]), byte(p[1]), byte(p[2]), byte(p[3])).to_srgba_unmultiplied()
        });
        image::RgbaImage::from_raw(self.w as u32, self.h as u32, bytes.collect()).expect("as many bytes as pixels")
    }
}

/// Bilinear, clamped at the rim.
fn sample(texture: &ColorImage, u: f32, v: f32) -> [f32; 4] {
    let (w, h) = (texture.width() as f32, texture.height() as f32);
    let (x, y) = (u * w - 0.5, v * h - 0.5);
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let texel = |x: f32, y: f32| {
        let at = (x.clamp(0.0, w - 1.0) as usize, y.clamp(0.0, h - 1.0) as usize);
        texture[at].to_array().map(|c| f32::from(c) / 255.0)
    };
    let row = |y: f32| {
        let (a, b) = (texel(x.floor(), y), texel(x.floor() + 1.0, y));
        std::array::from_fn::<f32, 4, _>(|k| a[k] * (1.0 - fx) + b[k] * fx)
    };
    let (top, bottom) = (row(y.floor()), row(y.floor() + 1.0));
    std::array::from_fn(|k| top[k] * (1.0 - fy) + bottom[k] * fy)
}
