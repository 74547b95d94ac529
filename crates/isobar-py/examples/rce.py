"""Radiative-convective equilibrium of one column: ecCKD's radiation, convection that keeps 6.5 K/km, to steady state.

Draws `rce.svg`: temperatures, and the heating by long wave and short wave that convection balances.
"""

import isobar
import matplotlib.pyplot as plt
import numpy as np

G, R, CP, LAPSE, SLAB = 9.81, 287.0, 1004.6, 6.5e-3, 1e6  # of the slab: J m-2 K-1, a quarter of a metre of water
model = isobar.Radiation(device="thread")
p_half = 1e5 * np.linspace(1, 0.03, 61) ** 2  # Pa, from the ground up
p = 0.5 * (p_half[1:] + p_half[:-1])
mass = CP / G * (p_half[:-1] - p_half[1:])  # J m-2 K-1 of each layer
t, ground, step = np.maximum(288.0 * (p / 1e5) ** 0.19, 210.0), 288.0, 0.5 * 86400
ozone = 1e-7 + 8e-6 * np.exp(-((np.log(p / 1e3) / 1.2) ** 2))
for number in range(4000):
    t_half = np.interp(-np.log(p_half), -np.log(p), t)
    vapour = 0.5 * 611 * np.exp(17.3 * (t - 273.16) / (t - 35.9)) / p  # half of saturation
    vapour = np.maximum(np.minimum.accumulate(vapour), 4e-6)
    out = model.run(
        level_pressure_pa=p_half, pressure_pa=p, temperature_k=t, level_temperature_k=t_half,
        surface_temperature_k=ground, h2o=vapour, o3=ozone, co2=420e-6, ch4=1.9e-6, n2o=330e-9, emissivity=1.0,
        surface_albedo_direct=0.3, cosine_zenith=0.5, total_solar_irradiance_w_per_m2=1361 / 2,
    )
    net = out.longwave_down_w_per_m2 - out.longwave_up_w_per_m2
    net = net + out.shortwave_down_w_per_m2 - out.shortwave_up_w_per_m2
    # Neighbouring layers exchange a little air: what levels between layers cannot see, no radiation would smooth.
    exchange = np.diff(0.05 * np.minimum(mass[1:], mass[:-1]) * np.diff(t), prepend=0, append=0) / mass  # K/day
    radiated = t + step / 86400 * (out.longwave_heating_k_per_day + out.shortwave_heating_k_per_day + exchange)
    radiated_ground = ground + step / SLAB * net[0]
    # Convection mixes from the ground up to the first layer that is warmer than what rises, and keeps the energy.
    depth = R * t / G * np.log(p_half[:-1] / p_half[1:])
    height = np.cumsum(depth) - 0.5 * depth
    for top in range(len(p)):
        heat = SLAB * radiated_ground + np.sum((mass * (radiated + LAPSE * height))[: top + 1])
        mixed = heat / (SLAB + mass[: top + 1].sum())
        if top + 1 == len(p) or radiated[top + 1] > mixed - LAPSE * height[top + 1]:
            break
    new = np.where(np.arange(len(p)) <= top, mixed - LAPSE * height, radiated)
    change, t, ground = np.abs(new - t).max(), new, mixed
    if change < 1e-4 and abs(net[-1]) < 0.05:
        break
print(f"{ground:.2f} K at the ground, {t.min():.1f} K at the tropopause", end=", ")
print(f"net flux at the top {net[-1]:.3f} W m-2, {number} steps")
assert abs(net[-1]) < 0.05, "no steady state"

figure, (left, right) = plt.subplots(1, 2, sharey=True, figsize=(9, 5), layout="constrained")
left.plot(t, p / 100, label="temperature")
left.plot(ground, 1000, "o", label="ground")
right.plot(out.longwave_heating_k_per_day, p / 100, label="long wave")
right.plot(out.shortwave_heating_k_per_day, p / 100, label="short wave")
both = out.longwave_heating_k_per_day + out.shortwave_heating_k_per_day
right.plot(both, p / 100, "k--", label="sum, which convection balances")
left.set(xlabel="temperature (K)", ylabel="pressure (hPa)", yscale="log", ylim=(1000, p_half[-1] / 100))
right.set(xlabel="heating (K/day)", xlim=(-5, 5))
left.legend(), right.legend()
figure.savefig("rce.svg")
