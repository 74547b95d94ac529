//! A NetCDF file that the first member writes of what all members have.

use isobar_column::Precision;
use isobar_core::Real;
use isobar_io::netcdf::{DatasetWriter, Sample};
use isobar_launch::Plain;
use rayon::prelude::*;

use super::error::Error;
use super::team::Member;

/// A file in the making. Variables come to the first member one by one; the first failure of any member ends it for
/// all, and nothing of it is left.
pub(super) struct Collected<'a> {
    member: &'a Member<'a>,
    columns: usize,
    file: Option<DatasetWriter>,
    outcome: Result<(), Error>,
}

impl<'a> Collected<'a> {
    /// A file that the first member begins.
    pub(super) fn new(
        member: &'a Member<'a>,
        columns: usize,
        begin: impl FnOnce() -> Result<DatasetWriter, Error>,
    ) -> Self {
        let begun = if member.is_first() { begin().map(Some) } else { Ok(None) };
        match begun {
            Ok(file) => Self { member, columns, file, outcome: Ok(()) },
            Err(failure) => Self { member, columns, file: None, outcome: Err(failure) },
        }
    }

    /// Brings the members' columns of a variable together, and has the first member write it.
    pub(super) fn put<T: Plain>(
        &mut self,
        own: Result<Vec<T>, Error>,
        write: impl FnOnce(&mut DatasetWriter, &[T]) -> Result<(), Error>,
    ) {
        let own = own.unwrap_or_else(|failure| {
            self.fail(failure);
            Vec::new()
        });
        let whole = self.member.gather_columns(own, self.columns);
        let Some(file) = &mut self.file else { return };
        // A member that failed has brought nothing: it says why at the end.
        let outcome = match whole {
            Some(values) => write(file, &values),
            None => return self.file = None,
        };
        outcome.unwrap_or_else(|failure| self.fail(failure));
    }

    /// Completes the file.
    pub(super) fn finish(self) -> Result<(), Error> {
        let written = self.outcome.and_then(|()| self.file.map_or(Ok(()), |file| Ok(file.commit()?)));
        self.member.agree(written)
    }

    /// Completes the file; one that cannot be written fails nobody: all members get the first one's words of it.
    pub(super) fn finish_or_tell(self) -> Result<Option<String>, Error> {
        let written = self.outcome.and_then(|()| self.file.map_or(Ok(()), |file| Ok(file.commit()?)));
        let (words, rest) = match written {
            Err(Error::File(failure)) => (failure.to_string(), Ok(())),
            other => (String::new(), other),
        };
        let member = self.member;
        member.agree(rest)?;
        let words = member.spread(words.into_bytes());
        Ok((!words.is_empty()).then(|| String::from_utf8_lossy(&words).into_owned()))
    }

    fn fail(&mut self, failure: Error) {
        self.file = None;
        if self.outcome.is_ok() {
            self.outcome = Err(failure);
        }
    }
}

/// The values of rows of one length. What is no number is missing.
pub(super) fn filled<R: Precision + Sample>(rows: &[&[R]]) -> Vec<R> {
    let width = rows.first().map_or(1, |row| row.len().max(1));
    let mut values = vec![R::ZERO; rows.len() * width];
    let filled = |value: R| if Real::is_finite(value) { value } else { R::FILL };
    values.par_chunks_mut(width).zip(rows).for_each(|(values, row)| {
        values.iter_mut().zip(*row).for_each(|(place, &value)| *place = filled(value));
    });
    values
}
