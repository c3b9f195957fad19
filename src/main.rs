//! The window, or a command; nothing else.

use std::process::ExitCode;

/// Searches on all cores take and free hundreds of megabytes on short-lived threads. The system's allocator keeps most of that; this one gives it back.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tilewright::cli::main()
}
