//! Control files, written.

use std::io::{self, Write};
use std::path::PathBuf;

use super::{Approximation, Control, Horizontal, Interpolation, ProfileFormat};
use crate::number::Number;
use crate::text::unwritable;

impl Control {
    /// Writes a control file that reads back equal: every field, then the pairs that have none.
    ///
    /// # Errors
    /// Those of `out`; a value with a blank, such as a path may have, which no control file can hold.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let others = self.pairs.without_field().map(|pair| (pair.key.clone(), pair.value.clone()));
        for (key, value) in self.fields()?.into_iter().chain(others) {
            if value.is_empty() || value.contains(|c: char| c.is_ascii_whitespace()) {
                return Err(unwritable(format!(
                    "{key} = {value:?}: a control file holds no value that is empty or has a blank"
                )));
            }
            writeln!(out, "{key} = {value}")?;
        }
        Ok(())
    }

    fn fields(&self) -> io::Result<Vec<(String, String)>> {
        let mut pairs = Vec::new();
        let mut set = |key: &str, value: String| pairs.push((key.to_owned(), value));
        let switch = |on: bool| u8::from(on).to_string();
        let number = |value: f64| Number(value).to_string();
        set("NG", self.emitters.len().to_string());
        for (i, emitter) in self.emitters.iter().enumerate() {
            set(&format!("EMITTER[{i}]"), emitter.clone());
        }
        set("NW", self.window_count.to_string());
        let channels = self.wavenumbers_per_cm.len();
        set("ND", channels.to_string());
        for (i, &nu) in self.wavenumbers_per_cm.iter().enumerate() {
            set(&format!("NU[{i}]"), number(nu));
        }
        for (i, window) in self.windows.iter().enumerate() {
            set(&format!("WINDOW[{i}]"), window.to_string());
        }
        for (key, size_key, nodes) in
            [("CLNU", "NCL", &self.cloud_wavenumbers_per_cm), ("SFNU", "NSF", &self.surface_wavenumbers_per_cm)]
        {
            set(size_key, nodes.len().to_string());
            for (i, &nu) in nodes.iter().enumerate() {
                set(&format!("{key}[{i}]"), number(nu));
            }
        }
        set("SFTYPE", self.surface_type.to_string());
        set("SFSZA", number(self.solar_zenith_deg.unwrap_or(-999.0)));
        set("TBLBASE", path(self.table_base.as_ref())?);
        set("TBLFMT", (self.table_format as u8 + 1).to_string());
        set("TBLINTERP", u8::from(self.interpolation == Interpolation::Logarithmic).to_string());
        let format = |format: ProfileFormat| (format as u8 + 1).to_string();
        set("ATMFMT", format(self.atmosphere_format));
        set("OBSFMT", format(self.observation_format));
        set("MATRIXFMT", format(self.matrix_format));
        set("PROF_IN", self.profile.to_string());
        set("IP", if self.horizontal == Horizontal::Track { "2" } else { "1" }.into());
        set("HYDZ", number(self.hydrostatic_reference_km.unwrap_or(-999.0)));
        set("CTM_CO2", switch(self.continua.co2));
        set("CTM_H2O", switch(self.continua.h2o));
        set("CTM_N2", (self.continua.n2 as u8).to_string());
        set("CTM_O2", switch(self.continua.o2));
        set("REFRAC", switch(self.refraction));
        set("RAYDS", number(self.step_length_km));
        set("RAYDZ", number(self.step_height_km));
        set("FOV", path(self.field_of_view.as_ref())?);
        set("WRITE_BBT", switch(self.brightness_temperature));
        set("FORMOD", if self.approximation == Approximation::CurtisGodson { "0" } else { "1" }.into());
        Ok(pairs)
    }
}

fn path(path: Option<&PathBuf>) -> io::Result<String> {
    let Some(path) = path else { return Ok("-".into()) };
    // A relative path would be read relative to wherever the control file lands.
    let absolute = std::path::absolute(path)?;
    absolute.into_os_string().into_string().map_err(|path| unwritable(format!("{path:?} is not UTF-8")))
}
