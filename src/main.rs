//! The window, or a command; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    tilewright::cli::main()
}
