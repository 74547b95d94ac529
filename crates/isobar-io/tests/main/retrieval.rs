//! What a control file says of a retrieval, and what it must not say.

use isobar_io::Control;

/// A control file's pairs, one a line.
fn control(text: &str) -> Control {
    let pair = |line: &str| line.split_once(" = ").map(|(key, value)| (key.to_owned(), value.to_owned()));
    let pairs: Vec<_> = text.lines().filter_map(pair).collect();
    Control::from_pairs(&pairs).expect("a control").0
}

const CHANNELS: &str = "NG = 2\nEMITTER[0] = CO2\nEMITTER[1] = O3\nND = 2\nNU[0] = 792\nNU[1] = 832\n";

#[test]
fn keys_have_the_defaults_of_the_reference() {
    let retrieval = control(CHANNELS).retrieval().expect("valid keys");
    assert!(
        [&retrieval.pressure, &retrieval.temperature]
            .into_iter()
            .chain(&retrieval.gases)
            .all(|of| of.range_km.is_none())
    );
    assert_eq!((retrieval.kernel_recomputation, retrieval.most_iterations, retrieval.convergence), (3, 30, 0.1));
    assert!(retrieval.analysis && !retrieval.matrices && !retrieval.cloud_height.retrieved);
    assert_eq!((retrieval.noise, retrieval.forward_error_percent), (vec![0.0; 2], vec![0.0; 2]));
}

#[test]
fn keys_are_read() {
    let text = "RETT_ZMIN = 8\nRETT_ZMAX = 46\nRETQ_ZMIN[1] = 14\nRETQ_ZMAX[1] = 40\nERR_TEMP = 5\nERR_TEMP_CZ = \
                6\nERR_TEMP_CH = -999\n\
                ERR_Q[*] = 30\nERR_NOISE[*] = 2e-5\nERR_FORMOD[1] = 1\nKERNEL_RECOMP = 1\nNCL = 2\nCLNU[0] = \
                700\nCLNU[1] = 900\n\
                RET_CLK = 1\nERR_CLK = 0.1\nERR_CLK[1] = 0.2\n";
    let retrieval = control(&format!("{CHANNELS}{text}")).retrieval().expect("valid keys");
    assert_eq!(retrieval.temperature.range_km, Some([8.0, 46.0]));
    let temperature =
        (retrieval.temperature.error, retrieval.temperature.vertical_km, retrieval.temperature.horizontal_km);
    assert_eq!(temperature, (5.0, Some(6.0), None));
    assert_eq!((retrieval.gases[0].range_km, retrieval.gases[1].range_km), (None, Some([14.0, 40.0])));
    assert_eq!((retrieval.gases[0].error, retrieval.gases[1].error), (30.0, 30.0));
    assert_eq!((retrieval.noise, retrieval.forward_error_percent), (vec![2e-5; 2], vec![0.0, 1.0]));
    assert!(retrieval.cloud_extinction.retrieved);
    assert_eq!(retrieval.cloud_extinction.error, [0.1, 0.2]);
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    for (text, expected) in [
        (
            "ERR_TEMP_CZ = 0\n",
            "command line: correlation length ERR_TEMP_CZ = 0 km lies outside (0, inf), or a negative number for no \
             correlation",
        ),
        ("RETQ_ZMIN[2] = 10\n", "command line: RETQ_ZMIN[2] asks for more elements than are declared: NG = 2"),
        ("ERR_NOISE[7] = 1\n", "command line: ERR_NOISE[7] asks for more elements than are declared: ND = 2"),
        ("RET_CLZ = 1\n", "command line: RET_CLZ = 1 asks for more elements than are declared: NCL = 0"),
        ("RET_SFT = 1\n", "command line: RET_SFT = 1 asks for more elements than are declared: NSF = 0"),
        ("KERNEL_RECOMP = 0\n", "command line: KERNEL_RECOMP = 0 lies outside [1, 1e6]"),
        ("ERR_TEMP = -1\n", "command line: ERR_TEMP = -1 lies outside [0, inf)"),
        (
            "SHARED_IO_PROFLIST = l\nSHARED_IO_ATM_APR_FILE = a\nSHARED_IO_OBS_MEAS_FILE = b\n\
             SHARED_IO_MATRIX_GAIN_FILE = g\n",
            "command line: SHARED_IO_MATRIX_GAIN_FILE needs WRITE_MATRIX = 1",
        ),
        ("CONV_DMIN = small\n", "command line: \"small\" is not a number (CONV_DMIN)"),
    ] {
        let error = control(&format!("{CHANNELS}{text}")).retrieval().expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
}
