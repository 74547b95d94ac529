"""Small batches for tests of derivatives, away from the nodes of tables, where slopes have a jump."""

import numpy


def thin(columns):
    """Three columns of five layers, the second at night."""
    edges = columns["level_pressure_pa"][:3, ::8]
    at_edges = columns["level_temperature_k"][:3, ::8] + 0.137
    rows = {"h2o": columns["h2o"][:3, 4::8], "o3": columns["o3"][:3, 4::8]}
    names = ("emissivity", "surface_albedo_direct")
    return {
        "level_pressure_pa": edges, "pressure_pa": (edges[:, 1:] + edges[:, :-1]) / 2,
        "level_temperature_k": at_edges, "temperature_k": (at_edges[:, 1:] + at_edges[:, :-1]) / 2,
        **rows, **{name: columns[name][:3] for name in names}, "co2": 4e-4, "n2o": 3e-7, "ch4": 1.8e-6, "o2": 0.21,
        "surface_temperature_k": columns["surface_temperature_k"][:3] + 0.137,
        "cosine_zenith": numpy.array([0.7, -0.1, 0.3]),
    }


def with_clouds(columns):
    """Layers that all g-points see cloudy, or none: differences of pressures do not change the draw."""
    fraction = numpy.zeros((3, 5))
    fraction[:, 1:3] = 1
    water = {"liquid_path_g_per_m2": fraction * [[5.0], [50.0], [200.0]], "ice_path_g_per_m2": fraction * 20}
    sizes = {"liquid_radius_um": numpy.full((3, 5), 9.3), "ice_size_um": numpy.full((3, 5), 57.0)}
    return {**columns, "cloud_fraction": fraction, **water, **sizes}


def profiles():
    """Two of `Adding`, of three layers, with two suns."""
    random = numpy.random.default_rng(5)
    return {
        "viewing_cosine": numpy.array([0.4, 0.9]), "relative_azimuth": numpy.array([0.0, 60.0]),
        "optical_depth": random.uniform(0.1, 2, (2, 3)), "single_scattering_albedo": random.uniform(0.5, 1, (2, 3)),
        "asymmetry": random.uniform(0, 0.8, (2, 3)), "planck_radiance": random.uniform(1, 2, (2, 3)),
        "surface_planck_radiance": numpy.array([1.0, 2.0]), "surface_parameters": numpy.array([[0.1], [0.6]]),
        "cosmic_background": 0.1, "sun_cosine": numpy.array([0.5, 0.8]), "sun_irradiance": 3.0,
    }


def weights_of(results, seed=3):
    random = numpy.random.default_rng(seed)
    return {name: random.uniform(-1, 1, array.shape) for name, array in results.items() if name != "status"}
