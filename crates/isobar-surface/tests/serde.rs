//! Options and columns come back from a file as they were.

use isobar_surface::{ColumnViews, Columns, Constants, Options, Results, Root, WaterRoughness, analytic, compute};

#[test]
fn options_columns_and_results_come_back() {
    let options = Options {
        water_roughness: WaterRoughness::Garratt,
        root: Root::Converged,
        constants: Constants::ufs(),
        ..Options::default()
    };
    let columns = analytic::columns::<f64>(3);
    let results = compute(&ColumnViews::try_from(&columns).unwrap(), &options).unwrap();
    let text = serde_json::to_string(&(&options, &columns, &results)).unwrap();
    assert!(text.contains("\"friction_velocity_m_per_s\":["), "fields stand under their names");
    let back: (Options, Columns<f64>, Results<f64>) = serde_json::from_str(&text).unwrap();
    assert_eq!(back, (options, columns, results));
    // What is left out is the default.
    assert_eq!(serde_json::from_str::<Options>("{}").unwrap(), Options::default());
    let own = Constants { svp1: 0.611, ..Constants::wrf() };
    assert_eq!(serde_json::from_str::<Constants>(r#"{"svp1": 0.611}"#).unwrap(), own);
}
