//! Run lengths, as other Sokoban programs write them: a number repeats the character or the bracketed group that follows.
//!
//! `3#` is `###` and `2(a3b)` is `abbbabbb`; groups nest. What comes out is bounded before it is made, so a short hostile text cannot ask
//! for gigabytes.

use crate::game::Fault;

const DEEPEST: usize = 16;

/// Expands run lengths. Characters that are neither digits nor brackets stand for themselves.
pub fn expand(text: &str, longest: usize) -> Result<String, Fault> {
    if !text.contains(|c: char| c.is_ascii_digit() || c == '(' || c == ')') {
        return if text.len() <= longest { Ok(text.to_string()) } else { Err(too_long(longest)) };
    }
    // A stack of groups: what they hold so far, and how often they are repeated.
    let mut stack: Vec<(String, usize)> = vec![(String::new(), 1)];
    let mut number: Option<usize> = None;
    let mut total = 0usize;
    for (i, c) in text.chars().enumerate() {
        let fault = |words: &str| Fault::at(1, i + 1, words);
        match c {
            '0'..='9' => {
                let digit = c as usize - '0' as usize;
                number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            }
            '(' => {
                if stack.len() > DEEPEST {
                    return Err(fault("the brackets are nested too deep"));
                }
                stack.push((String::new(), number.take().unwrap_or(1)));
            }
            ')' => {
                if number.is_some() {
                    return Err(fault("a number repeats nothing"));
                }
                let (group, times) = stack.pop().ok_or_else(|| fault("a closing bracket too many"))?;
                let Some((outer, _)) = stack.last_mut() else {
                    return Err(fault("a closing bracket too many"));
                };
                total = total.saturating_add(group.len().saturating_mul(times));
                if total > longest {
                    return Err(too_long(longest));
                }
                outer.push_str(&group.repeat(times));
            }
            _ => {
                let times = number.take().unwrap_or(1);
                total = total.saturating_add(times.saturating_mul(c.len_utf8()));
                if total > longest {
                    return Err(too_long(longest));
                }
                if let Some((group, _)) = stack.last_mut() {
                    group.extend(std::iter::repeat_n(c, times));
                }
            }
        }
    }
    match (stack.pop(), stack.is_empty(), number) {
        (Some((whole, _)), true, None) => Ok(whole),
        (_, _, Some(_)) => Err(Fault::new("a number at the end repeats nothing")),
        _ => Err(Fault::new("a bracket is not closed")),
    }
}

fn too_long(longest: usize) -> Fault {
    Fault::new(format!("this would be longer than {longest} characters"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_repeat_characters_and_groups() {
        assert_eq!(expand("3#2-$", 100).unwrap(), "###--$");
        assert_eq!(expand("2(a3b)c", 100).unwrap(), "abbbabbbc");
        assert_eq!(expand("2(2(ab)c)", 100).unwrap(), "ababcababc");
        assert_eq!(expand("12r", 100).unwrap(), "r".repeat(12));
        assert_eq!(expand("(ab)", 100).unwrap(), "ab");
    }

    #[test]
    fn hostile_run_lengths_are_refused_before_they_grow() {
        assert!(expand("999999999999999999999999#", 1000).is_err());
        assert!(expand("1000(1000(1000(1000(#))))", 100_000).is_err());
        assert!(expand(&"(".repeat(100), 1000).is_err());
        for bad in ["3", "2(", ")", "2)", "(3)", "2(ab"] {
            assert!(expand(bad, 100).is_err(), "{bad}");
        }
    }
}
