//! The window, or a command.

fn main() {
    let open = std::env::args_os().nth(1).map(std::path::PathBuf::from);
    std::process::exit(tilewright::app::run(open));
}
