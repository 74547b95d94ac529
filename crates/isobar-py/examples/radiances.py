"""Radiances of a clear and of a cloudy layer over a warm ground, in any unit: that of the Planck radiances."""

import isobar
import numpy as np

clear = isobar.ClearSky(cosine=[1.0, 0.5])
out = clear.run(
    optical_depth=np.array([0.2, 1.0]), planck_radiance=np.array([40.0, 80.0]), surface_planck_radiance=100.0, emissivity=0.98,
    cosmic_background=0.0,
)
print("clear sky, straight up and slanted:", out.top_radiance)
cloudy = isobar.Scattering(nodes=4)
out = cloudy.run(
    viewing_cosine=1.0, optical_depth=np.array([0.2, 10.0]), single_scattering_albedo=np.array([0.0, 0.6]),
    asymmetry=np.array([0.0, 0.85]), planck_radiance=np.array([40.0, 60.0]), surface_planck_radiance=100.0, emissivity=0.98,
    cosmic_background=0.0,
)
print("over a cloud, straight up:", out.top_radiance[-1])
