"""The process of climlab: its fluxes, budgets and grids."""

import numpy as np
import pytest

import isobar

# climlab brings no Fortran by pip, and warns of that.
pytestmark = pytest.mark.filterwarnings("ignore")
climlab = pytest.importorskip("climlab")
isobar_climlab = pytest.importorskip("isobar.climlab")


def absorbers(state):
    pressure = np.asarray(state.Tatm.domain.lev.points)
    ozone = 1e-7 + 8e-6 * np.exp(-((np.log(pressure / 10) / 1.2) ** 2))
    gases = {"CO2": 348e-6, "CH4": 1650e-9, "N2O": 306e-9, "O2": 0.21, "CFC11": 0.0, "CFC12": 0.0}
    return {**gases, "CFC22": 0.0, "CCL4": 0.0, "O3": ozone}


def process(state, **more):
    more.setdefault("specific_humidity", 1e-3)
    return isobar_climlab.Radiation(name="Radiation", state=state, absorber_vmr=absorbers(state), **more)


def test_a_column_has_the_fluxes_of_the_model():
    state = climlab.column_state(num_lev=30)
    radiation = process(state, albedo=0.25, coszen=0.4, irradiance_factor=0.6)
    radiation.compute_diagnostics()
    pressure, levels = 100 * radiation.lev, 100 * radiation.lev_bounds
    air, ground = np.asarray(state.Tatm), float(state.Ts[0])
    between = np.interp(levels[1:-1], pressure, air)
    gases = {name.lower(): value for name, value in absorbers(state).items() if name in ("CO2", "CH4", "N2O", "O3")}
    out = isobar.Radiation(top_first=True).run(
        level_pressure_pa=levels, pressure_pa=pressure, temperature_k=air,
        level_temperature_k=np.concatenate([air[:1], between, [ground]]), surface_temperature_k=ground,
        emissivity=1.0, cosine_zenith=0.4, total_solar_irradiance_w_per_m2=0.6 * radiation.S0,
        surface_albedo_direct=0.25, h2o=1e-3 / 0.999 * 28.964 / 18.0153, **gases,
    )
    np.testing.assert_allclose(radiation.LW_flux_up, out.longwave_up_w_per_m2, rtol=1e-12)
    np.testing.assert_allclose(radiation.SW_flux_down, out.shortwave_down_w_per_m2, rtol=1e-12, atol=1e-10)
    assert radiation.OLR == pytest.approx(radiation.LW_flux_up[0]) and radiation.OLRcld == pytest.approx(0)
    # What the layers gain is what the fluxes lose between the top and the ground.
    gain = np.sum(np.asarray(radiation.heating_rate["Tatm"]))
    net = np.asarray(radiation.SW_flux_net - radiation.LW_flux_net)
    assert gain == pytest.approx(net[0] - net[-1], abs=1e-9)
    assert float(radiation.heating_rate["Ts"][0]) == pytest.approx(net[-1], abs=1e-9)


def test_latitudes_have_their_own_columns():
    state = climlab.column_state(num_lev=20, num_lat=5)
    cosine = np.linspace(0.1, 0.9, 5)[:, None]
    radiation = process(state, coszen=cosine, albedo=0.1, cldfrac=0.3, clwp=50.0, r_liq=10.0)
    radiation.compute_diagnostics()
    assert radiation.SW_flux_down.shape == (5, 21)
    top = np.asarray(radiation.SW_flux_down)[:, 0]
    np.testing.assert_allclose(top, radiation.S0 * cosine[:, 0], rtol=1e-12)
    # Clouds keep the long wave in and the short wave out.
    assert (np.asarray(radiation.OLRcld) < 0).all() and (np.asarray(radiation.ASRcld) < 0).all()


def test_radiation_and_convection_come_to_rest():
    state = climlab.column_state(num_lev=30, water_depth=1.0)
    water = climlab.radiation.ManabeWaterVapor(name="Water", state=state)
    radiation = process(state, specific_humidity=water.q, albedo=0.25)
    convection = climlab.convection.ConvectiveAdjustment(name="Convection", state=state, adj_lapse_rate=6.5)
    column = climlab.couple([radiation, convection, water], name="Column")
    column.integrate_years(1.2, verbose=False)
    assert abs(float(column.ASR[0] - column.OLR[0])) < 0.1
    assert 275 < float(column.Ts[0]) < 295
    # The troposphere has the lapse rate that convection keeps: 6.5 K/km of g z = R T ln p.
    air, pressure = np.asarray(column.Tatm), np.asarray(column.lev)
    lapse = np.log(air[-2] / air[-6]) / np.log(pressure[-2] / pressure[-6]) * 9.8 / 287e-3
    assert lapse == pytest.approx(6.5, abs=0.1)


def test_bands_see_visible_and_infrared():
    by_band = isobar_climlab.Radiation._by_band
    visible, infrared = np.array([0.8]), np.array([0.2])
    one = by_band({"bands": 1, "band_limits_per_cm": [[0, 1e4], [1e4, 2e4]]}, visible, infrared)
    assert one.shape == (1, 1) and one[0, 0] == pytest.approx(0.5)
    limits = [[1000.0, 1e4 / 0.7], [1e4 / 0.7, 3e4], [1e4 / 0.7 - 100, 1e4 / 0.7 + 100]]
    three = by_band({"bands": 3, "band_limits_per_cm": limits}, visible, infrared)
    np.testing.assert_allclose(three, [[0.2, 0.8, 0.5]])


def test_a_model_of_another_layout_is_refused():
    state = climlab.column_state(num_lev=10)
    with pytest.raises(isobar.SetupError, match="top_first=True"):
        process(state, model=isobar.Radiation())


def test_gases_that_lack_or_are_none():
    """As climlab's RRTMG, no column is computed as if a gas were zero that has not been given."""
    state = climlab.column_state(num_lev=10)

    def computed(gases):
        one = isobar_climlab.Radiation(state=state, specific_humidity=1e-3, absorber_vmr=gases)
        one.compute_diagnostics()
        return float(one.OLR[0])

    gases = absorbers(state)
    without = {gas: value for gas, value in gases.items() if gas != "O3"}
    with pytest.raises(isobar.SetupError, match="absorber_vmr lacks O3, which the k-distributions need"):
        computed(without)
    with pytest.raises(isobar.UnknownNameError, match="no gas of climlab 'o3'"):
        computed({**without, "o3": gases["O3"]})
    with pytest.raises(isobar.UnknownNameError, match="no gas of climlab 'CFC-11': did you mean 'CFC11'"):
        computed({**gases, "CFC-11": 1e-10})
    with pytest.warns(UserWarning, match="left out: CCL4"):
        assert computed({**gases, "CCL4": 1e-9}) == computed(gases)


def test_options_of_rrtmg():
    state = climlab.column_state(num_lev=10)
    clouds = {"cldfrac": 0.5, "clwp": 50.0, "r_liq": 10.0, "albedo": 0.2}
    clear, cloudy = process(state, icld=0, **clouds), process(state, icld=1, **clouds)
    for one in (clear, cloudy):
        one.compute_diagnostics()
    assert float(clear.OLRcld[0]) == 0 and float(cloudy.OLRcld[0]) < -1
    assert float(clear.OLR[0]) == pytest.approx(float(cloudy.OLRclr[0]), rel=1e-12)
    # Half of each of ten layers at random leaves less of the sky clear than half of all together.
    together = process(state, icld=3, **clouds)
    together.compute_diagnostics()
    assert float(cloudy.OLRcld[0]) < float(together.OLRcld[0])
    process(state, iaer=0, tauaer_sw=0.0, bndsolvar=np.zeros(1))
    for name, value in (("iaer", 10), ("tauaer_sw", 0.1), ("inflglw", 0), ("tauc_lw", 1.0)):
        with pytest.raises(isobar.SetupError, match=f"{name} is an option of RRTMG, which has no effect here"):
            process(state, **{name: value})
    with pytest.raises(isobar.SetupError, match="return_spectral_olr is an option of RRTMG"):
        process(state, return_spectral_olr=True)
    with pytest.raises(isobar.UnknownNameError, match="no keyword 'albdo': did you mean 'albedo'"):
        process(state, albdo=0.3)
    with pytest.raises(isobar.SetupError, match="icld is 7, and 0 to 3 are known"):
        process(state, icld=7)


def test_a_model_of_one_spectrum_is_refused():
    longwave = isobar.data_folder() / "ecckd-longwave-32.nc"
    with pytest.raises(isobar.SetupError, match="has both spectra: this one has no shortwave"):
        process(climlab.column_state(num_lev=10), model=isobar.Radiation([longwave], top_first=True))
