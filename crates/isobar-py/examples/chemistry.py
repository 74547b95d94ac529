"""Ozone and nitrogen oxides of a hundred cells through a day, with a mechanism that is read at run time."""

import tempfile
from pathlib import Path

import isobar
import numpy as np

mechanism = """
#DEFVAR
O = IGNORE; O3 = IGNORE; NO = IGNORE; NO2 = IGNORE;
#DEFFIX
O2 = IGNORE; M = IGNORE;
#EQUATIONS
<R1> NO2 + hv = NO + O : 8e-3 * SUN;
<R2> O + O2 + M = O3 + M : 6.0e-34;
<R3> O3 + NO = NO2 + O2 : 1.8e-14;
"""
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "smog.kpp"
    path.write_text(mechanism)
    model = isobar.Chemistry(path, method="rodas3", relative_tolerance=1e-4)
cells, air = 100, 2.5e19
first = {"O": 0.0, "O3": 20e-9 * air, "NO": 1e-9 * air, "NO2": 10e-9 * air, "O2": 0.21 * air, "M": air}
state = {
    "concentration": np.tile([first[name] for name in model.species], (cells, 1)),
    "first_step_s": np.zeros(cells),
}
brightness = np.linspace(0, 1, cells)
for hour in range(6, 18):
    sun = brightness * np.sin(np.pi * (hour - 6) / 12)
    inputs = np.stack([{"SUN": sun}[name] for name in model.rate_inputs], axis=1)
    out = model.run(**state, rate_input=inputs, start_s=3600.0 * hour, end_s=3600.0 * (hour + 1))
    state = {name: out[name] for name in state}
ozone = out.concentration[:, model.species.index("O3")] / air * 1e9
print(f"ozone in the evening: {ozone[0]:.2f} ppb in the dark, {ozone[-1]:.2f} ppb in full sun")
