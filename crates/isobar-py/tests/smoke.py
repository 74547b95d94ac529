"""What works with NumPy alone: `python smoke.py`."""

from pathlib import Path

import isobar
import numpy as np

data = Path(__file__).parents[3] / "data"
model = isobar.Radiation()
columns = model.read(data / "radiation" / "columns.nc")
out = model.run(**columns)
assert out.longwave_up_w_per_m2.shape == (8, 41) and (out.status == 0).all()
assert np.isfinite(out.longwave_heating_k_per_day).all()
assert "longwave_up_w_per_m2" in isobar.Radiation.__doc__
assert isobar.schemes() == [
    "ysu", "radiation", "clear_sky", "scattering", "chemistry", "infrared", "adding", "adding_adjoint",
    "surface", "shin_hong", "radiation_adjoint",
]
for scheme in isobar.schemes():
    print(isobar.fields(scheme), end="\n\n")
print(isobar.__version__, isobar.devices())
