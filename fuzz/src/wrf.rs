//! A column of air as WRF writes it.

use crate::netcdf::Content;

/// What `isobar pbl` and `isobar longwave` read of WRF, five layers high.
pub(crate) fn content() -> Content {
    const MASS: &[&str] = &["Time", "bottom_top", "south_north", "west_east"];
    const STAGGERED: &[&str] = &["Time", "bottom_top_stag", "south_north", "west_east"];
    const PLANE: &[&str] = &["Time", "south_north", "west_east"];
    let dimensions = [
        ("Time", 1),
        ("bottom_top", 5),
        ("bottom_top_stag", 6),
        ("south_north", 1),
        ("south_north_stag", 2),
        ("west_east", 1),
        ("west_east_stag", 2),
    ];
    Content::new(&dimensions)
        .with("P", MASS, "Pa", &[0.0])
        .with("PB", MASS, "Pa", &[98e3, 94e3, 90e3, 86e3, 82e3])
        .with("PH", STAGGERED, "m2 s-2", &[0.0])
        .with("PHB", STAGGERED, "m2 s-2", &[0.0, 3e3, 6e3, 9e3, 12e3, 15e3])
        .with("T", MASS, "K", &[-5.0, -4.5, -4.0, -3.0, -2.0])
        .with("QVAPOR", MASS, "kg kg-1", &[0.005])
        .with("U", &["Time", "bottom_top", "south_north", "west_east_stag"], "m s-1", &[4.0, 6.0])
        .with("V", &["Time", "bottom_top", "south_north_stag", "west_east"], "m s-1", &[1.0, 2.0])
        .with("PSFC", PLANE, "Pa", &[99.5e3])
        .with("ZNT", PLANE, "m", &[0.1])
        .with("XLAND", PLANE, "", &[1.0])
        .with("HFX", PLANE, "W m-2", &[100.0])
        .with("QFX", PLANE, "kg m-2 s-1", &[0.0])
        .with("RTHRATLW", MASS, "K s-1", &[-3e-5])
        .with("RTHRATSW", MASS, "K s-1", &[1e-5])
        .with("TSK", PLANE, "K", &[297.0])
        .with("EMISS", PLANE, "1", &[0.98])
        .with("O3", MASS, "ppmv", &[0.04])
        .with("CO2", MASS, "ppmv", &[420.0])
        .with("CLDFRA", MASS, "1", &[0.0, 0.5, 0.0, 0.25, 0.0])
        .with("QCLOUD", MASS, "kg kg-1", &[0.0, 5e-5, 0.0, 0.0, 0.0])
        .with("QICE", MASS, "kg kg-1", &[0.0, 0.0, 0.0, 8e-6, 0.0])
        .with("RE_CLOUD", MASS, "m", &[8e-6])
        .with("RE_ICE", MASS, "m", &[4e-5])
}
