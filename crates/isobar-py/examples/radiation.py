"""Fluxes of a file's columns, and what twice the carbon dioxide does at the top."""

from pathlib import Path

import isobar

data = Path(isobar.__file__).parents[0]
model = isobar.Radiation()
columns = {
    "level_pressure_pa": [1000e2, 850e2, 700e2, 500e2, 300e2, 100e2, 10e2],
    "temperature_k": [285.0, 276.0, 262.0, 242.0, 222.0, 215.0],
    "level_temperature_k": [288.0, 281.0, 270.0, 252.0, 228.0, 217.0, 225.0],
    "h2o": [1e-2, 6e-3, 2e-3, 4e-4, 2e-5, 4e-6],
    "o3": [3e-8, 4e-8, 5e-8, 8e-8, 4e-7, 5e-6],
}
import numpy as np  # noqa: E402

columns = {name: np.array(values) for name, values in columns.items()}
columns["pressure_pa"] = 0.5 * (columns["level_pressure_pa"][1:] + columns["level_pressure_pa"][:-1])
common = dict(
    surface_temperature_k=289.0, emissivity=0.98, cosine_zenith=0.5, surface_albedo_direct=0.15, ch4=1.9e-6, n2o=330e-9
)
for co2 in (420e-6, 840e-6):
    out = model.run(**columns, **common, co2=co2)
    print(f"{1e6 * co2:.0f} ppm: {out.longwave_up_w_per_m2[-1]:.2f} W m-2 leave at the top")
