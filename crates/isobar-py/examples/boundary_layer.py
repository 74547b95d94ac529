"""A boundary layer that grows over a heated ground for two hours: many columns at once, results into the same
arrays."""

import isobar
import numpy as np

columns, layers, step = 100, 40, 60.0
model = isobar.YSU(time_step_s=step)
height = 25.0 + 50.0 * np.arange(layers)
pressure = np.broadcast_to(1e5 * np.exp(-height / 8400), (columns, layers))
edges = np.broadcast_to(1e5 * np.exp(-50.0 * np.arange(layers + 1) / 8400), (columns, layers + 1))
exner = (pressure / 1e5) ** (2 / 7)
theta = np.broadcast_to(295.0 + 0.004 * height, (columns, layers)).copy()
heat = np.linspace(50, 300, columns)  # W m-2, another one in each column
out = {}
for _ in range(120):
    out = model.run(
        u_m_per_s=5.0, v_m_per_s=0.0, temperature_k=theta * exner, vapour_kg_per_kg=5e-3, cloud_water_kg_per_kg=0.0,
        cloud_ice_kg_per_kg=0.0, pressure_pa=pressure, exner=exner, thickness_m=50.0, interface_pressure_pa=edges,
        surface_pressure_pa=1e5, roughness_m=0.1, friction_velocity_m_per_s=0.35, profile_momentum=5.0, profile_heat=5.0,
        land_or_water=1.0, sensible_heat_flux_w_per_m2=heat, moisture_flux_kg_per_m2_s=5e-5, wind_speed_m_per_s=5.0,
        richardson=-0.5, u_10m_m_per_s=4.0, v_10m_m_per_s=0.0, u_current_m_per_s=0.0, v_current_m_per_s=0.0, out=out or None,
    )
    theta += step * out["theta_tendency_k_per_s"]
print(f"after two hours: {out['height_m'][0]:.0f} m over 50 W m-2, {out['height_m'][-1]:.0f} m over 300 W m-2")
