//! Mechanisms of the reference data, with the rate functions that their host models have. Formulas: the reference's
//! MANIFEST.

use std::path::PathBuf;

use isobar_kpp::{Mechanism, Reader};

/// The folder of the reference.
pub(crate) fn dir() -> Option<PathBuf> {
    isobar_golden::find("kpp")
}

/// What CAABA/MECCA defines beside its equations.
const MECCA: &str = "
#INLINE F90_RCONST
  k_HO2_HO2 = (1.5E-12*EXP(19./temp)+1.7E-33*EXP(1000./temp)*cair)* &
              (1.+1.4E-21*EXP(2200./temp)*C(ind_H2O))
  k_NO3_NO2    = k_3rd(temp,cair,2.0E-30,4.4,1.4E-12,0.7,0.6)
  k_NO2_HO2    = k_3rd(temp,cair,2.0E-31,3.4,2.9E-12,1.1,0.6)
  k_HNO3_OH    = 2.4E-14*EXP(460./temp)+1./(1./(6.5E-34*EXP(1335./temp)*cair)+1./(2.7E-17*EXP(2199./temp)))
  k_CH3OOH_OH  = 3.8E-12*EXP(200./temp)
  k_PA_NO2     = k_3rd(temp,cair,9.7E-29,5.6,9.3E-12,1.5,0.6)
  k_PAN_M      = k_PA_NO2/9.0E-29*EXP(-14000./temp)
  k_PrO2_HO2   = 1.9E-13*EXP(1300./temp)
  k_PrO2_NO    = 2.7E-12*EXP(360./temp)
  k_PrO2_CH3O2 = 9.46E-14*EXP(431./temp)
  k_ClO_ClO    = k_3rd_iupac(temp,cair,2.0E-32,4.0,1.0E-11,0.0,0.45)
  k_BrO_NO2    = k_3rd_iupac(temp,cair,4.7E-31,3.1,1.8E-11,0.0,0.4)
  k_DMS_OH     = 1.E-9*EXP(5820./temp)*C(ind_O2)/(1.E30+5.*EXP(6280./temp)*C(ind_O2))
#ENDINLINE
#INLINE F90_GLOBAL
  REAL(kind=8), PARAMETER :: R_gas = 8.3144621, N_A = 6.02214129E23, atm2Pa = 101325.
#ENDINLINE
";

/// What WRF-Chem defines beside the MOZART equations.
const MOZART: &str = "
#INLINE F90_RATES
REAL(KIND=dp) FUNCTION usr_O_O2( temp )
  REAL(KIND=dp), INTENT(IN) :: temp
  usr_O_O2 = 6.e-34_dp*(temp/300._dp)**(-2.4_dp)
END FUNCTION usr_O_O2
REAL(KIND=dp) FUNCTION usr_O_O_M( temp )
  REAL(KIND=dp), INTENT(IN) :: temp
  usr_O_O_M = 2.76e-34_dp*exp( 720.0_dp/temp )
END FUNCTION usr_O_O_M
REAL(KIND=dp) FUNCTION usr_HO2_HO2( temp, c_m, c_h2o )
  REAL(KIND=dp), INTENT(IN) :: temp, c_m, c_h2o
  REAL(KIND=dp) :: ko, kinf, fc
  if( c_h2o > 0._dp ) then
    ko   = 2.3e-13_dp*exp( 600._dp/temp )
    kinf = 1.7e-33_dp*c_m*exp( 1000._dp/temp )
    fc   = 1._dp + 1.4e-21_dp*c_h2o*exp( 2200._dp/temp )
    usr_HO2_HO2 = (ko + kinf)*fc
  else
    usr_HO2_HO2 = 0._dp
  end if
END FUNCTION usr_HO2_HO2
REAL(KIND=dp) FUNCTION usr_HNO3_OH( temp, c_m )
  REAL(KIND=dp), INTENT(IN) :: temp, c_m
  REAL(KIND=dp) :: x
  x = 6.5e-34_dp*exp( 1335._dp/temp )*c_m
  usr_HNO3_OH = x/(1._dp + x/(2.7e-17_dp*exp( 2199._dp/temp ))) + 2.4e-14_dp*exp( 460._dp/temp )
END FUNCTION usr_HNO3_OH
REAL(KIND=dp) FUNCTION usr_HO2NO2_M( temp, c_m )
  usr_HO2NO2_M = TROEE( 4.76e26_dp,10900._dp,1.8e-31_dp,3.2_dp,4.7e-12_dp,1.4_dp,temp,c_m )/c_m
END FUNCTION usr_HO2NO2_M
REAL(KIND=dp) FUNCTION usr_PAN_M( temp, c_m )
  usr_PAN_M = TROEE( 1.111e28_dp,14000._dp,8.5e-29_dp,6.5_dp,1.1e-11_dp,0._dp,temp,c_m )/c_m
END FUNCTION usr_PAN_M
REAL(KIND=dp) FUNCTION usr_PBZNIT_M( temp, c_m )
  usr_PBZNIT_M = TROEE( 1.111e28_dp,14000._dp,9.7e-29_dp,5.6_dp,9.3e-12_dp,0._dp,temp,c_m )/c_m
END FUNCTION usr_PBZNIT_M
REAL(KIND=dp) FUNCTION usr_N2O5_M( temp, c_m )
  usr_N2O5_M = TROEE( 3.333e26_dp,10900._dp,2.2e-30_dp,4.4_dp,1.4e-12_dp,.7_dp,temp,c_m )/c_m
END FUNCTION usr_N2O5_M
REAL(KIND=dp) FUNCTION usr_CH3COCH3_OH( temp )
  usr_CH3COCH3_OH = 3.82e-11_dp*exp( -2000._dp/temp ) + 1.33e-13_dp
END FUNCTION usr_CH3COCH3_OH
REAL(KIND=dp) FUNCTION usr_MCO3_NO2( temp, c_m )
  usr_MCO3_NO2 = 1.1e-11_dp*300._dp/(temp*c_m)
END FUNCTION usr_MCO3_NO2
REAL(KIND=dp) FUNCTION usr_MPAN_M( temp, c_m )
  usr_MPAN_M = 1.2221e17_dp*300._dp*exp( -14000._dp/temp )/(temp*c_m)
END FUNCTION usr_MPAN_M
REAL(KIND=dp) FUNCTION usr_DMS_OH( temp, c_m )
  REAL(KIND=dp) :: ko, wrk
  wrk = .21_dp*c_m
  ko  = 1._dp + 5.5e-31_dp*exp( 7460._dp/temp )*wrk
  usr_DMS_OH = 1.7e-42_dp*exp( 7810._dp/temp )*wrk/ko
END FUNCTION usr_DMS_OH
REAL(KIND=dp) FUNCTION usr_CO_OH_a( temp, c_m )
  usr_CO_OH_a = 1.5e-13_dp*(1._dp + 6.e-7_dp*1.38044e-16_dp*c_m*temp)
END FUNCTION usr_CO_OH_a
FUNCTION usr_SO2_OH( temp, c_m )
  REAL(KIND=dp) :: x, ratio
  x = 3.0e-31_dp*(300._dp/temp)**3.3_dp*c_m
  ratio = x/1.5e-12_dp
  usr_SO2_OH = x/(1._dp + ratio)*0.6_dp**(1._dp/(1._dp + log10(ratio)**2))
END FUNCTION
#ENDINLINE
";

/// Reads a mechanism of the reference as its host model would.
pub(crate) fn read(name: &str) -> Option<Mechanism> {
    let folder = dir()?.join("mechanisms");
    let reader = Reader::new().folder(folder.clone());
    let result = match name {
        "mcm" => mcm(reader),
        "mecca_mim1" => reader.read_text("mecca", &format!("#INCLUDE mecca_mim1.def\n{MECCA}")),
        "t1_mozcart" => mozart(reader),
        _ => Reader::new().read_file(folder.join(format!("{name}.def"))),
    };
    Some(result.unwrap_or_else(|error| panic!("{error}")))
}

/// With the named rate constants that the equations of MCM refer to.
fn mcm(reader: Reader) -> Result<Mechanism, isobar_kpp::Error> {
    let named = isobar_golden::json(&dir().expect("the reference").join("mcm/named_rates.json"));
    let named = named["named"].as_object().expect("names");
    let formula = |name: &String| named[name].as_str().expect("a formula");
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let mut text = String::from("#INCLUDE mcm_isoprene.eqn\n#INLINE F90_RCONST\n  N2 = 0.78*M\n  O2 = 0.21*M\n");
    // A file of JSON has no order: a name comes when all that it is made of are there.
    let mut left: Vec<&String> = named.keys().collect();
    while !left.is_empty() {
        let waits = |name: &&String| formula(name).split(word).any(|part| left.iter().any(|other| *other == part));
        let (later, ready): (Vec<&String>, Vec<&String>) = left.iter().copied().partition(|name| waits(name));
        ready.iter().for_each(|name| text += &format!("  {name} = {}\n", formula(name)));
        assert!(!ready.is_empty(), "names in a circle");
        left = later;
    }
    reader.read_text("mcm", &(text + "#ENDINLINE\n"))
}

/// Uptake on three modes of aerosol is given in Rust.
fn mozart(mut reader: Reader) -> Result<Mechanism, isobar_kpp::Error> {
    const UPTAKE: [(&str, f64, f64); 11] = [
        ("N2O5", 1.40e3, 0.1),
        ("HO2", 2.53e3, 0.2),
        ("NO2", 2.15e3, 1e-4),
        ("NO3", 1.85e3, 1e-3),
        ("HONITR", 1.26e3, 0.005),
        ("ONITR", 1.20e3, 0.005),
        ("ISOPNIT", 1.20e3, 0.005),
        ("NC4CH2OH", 1.20e3, 0.005),
        ("NC4CHO", 1.21e3, 0.005),
        ("TERPNIT", 0.992e3, 0.01),
        ("NTERPOOH", 0.957e3, 0.01),
    ];
    const SURFACE: [f64; 3] = [1e-6, 5e-7, 1e-7];
    const DIAMETER: [f64; 3] = [2e-5, 1e-5, 8e-6];
    for (species, speed, probability) in UPTAKE {
        reader = reader.function(&format!("usr_{species}_aer"), 3, move |x| {
            let v = speed * x[2].sqrt();
            let mode = |i: usize| SURFACE[i] / (0.5 * x[0].constant(DIAMETER[i]) / 0.1 + 4.0 / (v * probability));
            mode(0) + mode(1) + mode(2)
        });
    }
    reader = reader.function("usr_GLYOXAL_aer", 2, |x| {
        0.25 * (1.455e4 * (x[1] / 58.0).sqrt()) * 2e-4 * (SURFACE[0] + SURFACE[1] + SURFACE[2])
    });
    reader.read_text("mozart", &format!("#INCLUDE t1_mozcart.def\n{MOZART}"))
}
