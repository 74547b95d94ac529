//! What a mechanism's files say, before it is checked as a whole.

use crate::error::Fault;
use crate::expression::Expression;
use crate::item::{Equation, Term};
use crate::scan::{Inline, Module};
use crate::source::Span;
use crate::statement::Statement;

/// A declared species.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) fixed: bool,
    /// What it is made of, if that is known.
    pub(crate) composition: Option<Vec<Term>>,
}

/// Everything that the files say.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    pub(crate) atoms: Vec<(String, Span)>,
    pub(crate) species: Vec<Declared>,
    pub(crate) equations: Vec<Equation>,
    pub(crate) initial: Vec<(String, Span, Expression)>,
    pub(crate) look_at: Vec<(String, Span)>,
    pub(crate) look_at_all: bool,
    pub(crate) monitor: Vec<(String, Span)>,
    pub(crate) check: Vec<(String, Span)>,
    pub(crate) check_all: bool,
    pub(crate) set: Vec<(String, Span, bool)>,
    pub(crate) lumps: Vec<(String, Span, Vec<Term>)>,
    pub(crate) families: Vec<(String, Span, Vec<Term>)>,
    pub(crate) settings: Vec<(String, String)>,
    /// What is computed before the rate constants, in the language of equations.
    pub(crate) statements: Vec<Statement>,
    pub(crate) inlines: Vec<Inline>,
    pub(crate) modules: Vec<Module>,
    pub(crate) notes: Vec<Fault>,
}

impl Declarations {
    /// Was this setting, in capitals, put on last?
    pub(crate) fn is_on(&self, name: &str) -> bool {
        let value = self.settings.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        value.is_some_and(|value| value.eq_ignore_ascii_case("on"))
    }
}

/// What items mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Atoms,
    Species {
        fixed: bool,
    },
    Equations,
    Initial,
    LookAt,
    Monitor,
    Check,
    Set {
        fixed: bool,
    },
    Lump,
    Families,
    /// Items that are read over.
    Transport,
}

/// What a command wants behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Section(Section),
    Include,
    LookAtAll,
    CheckAll,
    Inline,
    EndInline,
    /// A setting with a value; with a note if it has no meaning here.
    Setting {
        note: bool,
    },
    /// A command alone without meaning here.
    Idle,
}

/// All commands, in capitals.
pub(crate) const COMMANDS: [(&str, Command); 46] = {
    use Command::*;
    [
        ("ATOMS", Section(self::Section::Atoms)),
        ("DEFVAR", Section(self::Section::Species { fixed: false })),
        ("DEFRAD", Section(self::Section::Species { fixed: false })),
        ("DEFFIX", Section(self::Section::Species { fixed: true })),
        ("EQUATIONS", Section(self::Section::Equations)),
        ("INITVALUES", Section(self::Section::Initial)),
        ("LOOKAT", Section(self::Section::LookAt)),
        ("MONITOR", Section(self::Section::Monitor)),
        ("CHECK", Section(self::Section::Check)),
        ("SETVAR", Section(self::Section::Set { fixed: false })),
        ("SETRAD", Section(self::Section::Set { fixed: false })),
        ("SETFIX", Section(self::Section::Set { fixed: true })),
        ("LUMP", Section(self::Section::Lump)),
        ("FAMILIES", Section(self::Section::Families)),
        ("TRANSPORT", Section(self::Section::Transport)),
        ("INCLUDE", Include),
        ("LOOKATALL", LookAtAll),
        ("CHECKALL", CheckAll),
        ("TRANSPORTALL", Idle),
        ("INLINE", Inline),
        ("ENDINLINE", EndInline),
        ("LANGUAGE", Setting { note: false }),
        ("INTEGRATOR", Setting { note: true }),
        ("INTFILE", Setting { note: true }),
        ("DRIVER", Setting { note: true }),
        ("MODEL", Include),
        ("DOUBLE", Setting { note: true }),
        ("JACOBIAN", Setting { note: true }),
        ("HESSIAN", Setting { note: true }),
        ("STOICMAT", Setting { note: true }),
        ("STOCHASTIC", Setting { note: true }),
        ("REORDER", Setting { note: true }),
        ("FUNCTION", Setting { note: true }),
        ("EQNTAGS", Setting { note: true }),
        ("DUMMYINDEX", Setting { note: false }),
        ("DECLARE", Setting { note: true }),
        ("MEX", Setting { note: true }),
        ("GRAPH", Setting { note: true }),
        ("AUTOREDUCE", Setting { note: true }),
        ("UPPERCASEF90", Setting { note: true }),
        ("MINVERSION", Setting { note: true }),
        ("USE", Setting { note: true }),
        ("USES", Setting { note: true }),
        ("RUN", Setting { note: true }),
        ("WRFCONFORM", Idle),
        ("WRITE_OPT", Idle),
    ]
};
