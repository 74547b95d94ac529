//! Options and columns come back from a file as they were.

use isobar_ysu::{ColumnViews, Columns, Constants, Options, Results, ShinHongOptions, analytic, compute};

#[test]
fn options_columns_and_results_come_back() {
    let options = Options { topographic: true, constants: Constants::CAM_SIMA, ..Options::new(60.0) };
    let columns = analytic::columns::<f64>(3, 5, 1);
    let results = compute(&ColumnViews::try_from(&columns).unwrap(), &options).unwrap();
    let text = serde_json::to_string(&(&options, &columns, &results)).unwrap();
    assert!(text.contains("\"friction_velocity_m_per_s\":["), "fields stand under their names");
    let back: (Options, Columns<f64>, Results<f64>) = serde_json::from_str(&text).unwrap();
    assert_eq!(back, (options, columns, results));
}

#[test]
fn constants_have_names() {
    let text =
        r#"{"version": "wrf4", "time_step_s": 60, "top_down": false, "topographic": false, "constants": "mpas"}"#;
    let options: Options = serde_json::from_str(text).unwrap();
    assert_eq!(options, Options { constants: Constants::MPAS, ..Options::new(60.0) });
    let own: Constants = serde_json::from_str(r#"{"gravity_m_per_s2": 3.71, "cp": 850}"#).unwrap();
    assert_eq!(own, Constants { gravity_m_per_s2: 3.71, heat_capacity_j_per_kg_k: 850.0, ..Constants::WRF });
    let unknown = serde_json::from_str::<Constants>(r#"{"gravity": 3.71}"#).unwrap_err().to_string();
    assert!(unknown.starts_with("'gravity' is no constant: cp, g, rd"), "{unknown}");
    let options = ShinHongOptions { dissipative_heating: true, ..ShinHongOptions::new(30.0) };
    let back: ShinHongOptions = serde_json::from_str(&serde_json::to_string(&options).unwrap()).unwrap();
    assert_eq!(back, options);
}
