//! Rule switches and generator parameters: their kinds, their values, and checking one against the other.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A value of a parameter or rule switch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number.
    Number(i64),
    /// One of several words.
    Word(String),
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Number(n)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Switch(b)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Value {
        Value::Word(s.into())
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Switch(b) => write!(f, "{b}"),
            Value::Number(n) => write!(f, "{n}"),
            Value::Word(w) => f.write_str(w),
        }
    }
}

/// What values a parameter takes.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// A whole number from `min` to `max`, or one of `words` ("unlimited").
    Number {
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
        /// Words accepted in place of a number.
        words: &'static [&'static str],
    },
    /// On or off.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// A parameter of a generator or a rule switch of a level, as data: panels make sliders of it, commands read `name=value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// The name in files and commands: `finished_shapes`.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// A sentence of explanation.
    pub help: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is unless set.
    pub default: Value,
    /// What its words are called on the screen, where that is not the word itself.
    pub names: &'static [(&'static str, &'static str)],
}

impl Param {
    /// A number from `min` to `max`.
    pub fn number(
        name: &'static str,
        label: &'static str,
        help: &'static str,
        range: (i64, i64),
        default: i64,
    ) -> Param {
        let kind = Kind::Number { min: range.0, max: range.1, words: &[] };
        Param { name, label, help, kind, default: default.into(), names: &[] }
    }

    /// A switch.
    pub fn switch(name: &'static str, label: &'static str, help: &'static str, default: bool) -> Param {
        Param { name, label, help, kind: Kind::Switch, default: default.into(), names: &[] }
    }

    /// A choice among words; the first is the default.
    pub fn choice(
        name: &'static str,
        label: &'static str,
        help: &'static str,
        words: &'static [&'static str],
    ) -> Param {
        Param { name, label, help, kind: Kind::Choice(words), default: words[0].into(), names: &[] }
    }

    /// What a word is called on the screen.
    pub fn shown<'a>(&self, word: &'a str) -> &'a str {
        self.names.iter().find(|(w, _)| *w == word).map_or(word, |(_, shown)| shown)
    }

    /// Whether a value is one this parameter takes; else a sentence that says what it takes.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        let good = match (&self.kind, value) {
            (Kind::Number { min, max, .. }, Value::Number(n)) => (min..=max).contains(&n),
            (Kind::Number { words, .. }, Value::Word(w)) => words.contains(&w.as_str()),
            (Kind::Switch, Value::Switch(_)) => true,
            (Kind::Choice(words), Value::Word(w)) => words.contains(&w.as_str()),
            _ => false,
        };
        if good { Ok(()) } else { Err(format!("{} takes {}, not {value}", self.name, self.takes())) }
    }

    fn takes(&self) -> String {
        match &self.kind {
            Kind::Number { min, max, words: [] } => format!("a number from {min} to {max}"),
            Kind::Number { min, max, words } => format!("a number from {min} to {max}, or {}", words.join(" or ")),
            Kind::Switch => "true or false".into(),
            Kind::Choice(words) => words.join(" or "),
        }
    }

    /// Reads a value from text (a command's `name=value`), in any case.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let text = text.trim().to_lowercase();
        let value = match text.as_str() {
            "true" | "on" | "yes" if self.kind == Kind::Switch => Value::Switch(true),
            "false" | "off" | "no" if self.kind == Kind::Switch => Value::Switch(false),
            _ => text.parse().map_or_else(|_| Value::Word(text.clone()), Value::Number),
        };
        self.check(&value).map(|()| value)
    }
}

/// Values by name. A missing name has its parameter's default.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Values(pub BTreeMap<String, Value>);

impl Values {
    /// The defaults of some parameters.
    pub fn defaults(params: &[Param]) -> Values {
        Values(params.iter().map(|p| (p.name.to_string(), p.default.clone())).collect())
    }

    /// Sets a value.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.into(), value.into());
    }

    /// The same with a value set.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Values {
        self.set(name, value);
        self
    }

    /// A number, if it is set and a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.0.get(name) {
            Some(Value::Number(n)) => Some(*n),
            _ => None,
        }
    }

    /// A switch; off if it is not set.
    pub fn switch(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(Value::Switch(true)))
    }

    /// A word; empty if it is not set.
    pub fn word(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(Value::Word(w)) => w,
            _ => "",
        }
    }

    /// Every value named by a parameter and within what it takes, the missing ones filled with defaults; else a sentence.
    pub fn checked(&self, params: &[Param]) -> Result<Values, String> {
        let mut all = Values::defaults(params);
        for (name, value) in &self.0 {
            let Some(p) = params.iter().find(|p| p.name == name) else {
                let known: Vec<_> = params.iter().map(|p| p.name).collect();
                return Err(format!("there is no parameter {name} here; there are {}", known.join(", ")));
            };
            p.check(value)?;
            all.set(name, value.clone());
        }
        Ok(all)
    }
}
