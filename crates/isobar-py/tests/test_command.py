"""The bits of the command `isobar`, scheme by scheme, on the data of the repository."""

import os
from pathlib import Path

import isobar
import numpy as np
import pytest

BOTH = pytest.mark.parametrize("precision", ["f64", "f32"])


def same(ours, file, top_first=False):
    """Are all real results of ours, items last, in the file, to the bit?"""
    compared = 0
    for name, array in ours.items():
        declared = [field for field in ours.declared.outputs if field.name == name][0]
        if declared.file_name not in file or name == "status":
            continue
        theirs = file[declared.file_name]
        assert array.shape == theirs.shape, name
        assert array.dtype == theirs.dtype or name == "level", name
        assert np.array_equal(array, theirs, equal_nan=array.dtype.kind == "f"), name
        compared += 1
    return compared


def run(model, columns, **options):
    out = model.run(**columns, **options, items_axis="last")
    out.declared = isobar.fields(model)
    return out


@BOTH
@pytest.mark.parametrize("options", [{}, {"version": "wrf361"}, {"top_down": True, "topographic": True}])
def test_ysu(command, data, precision, options):
    flags = []
    if "version" in options:
        flags += ["--version", options["version"]]
    if "top_down" in options:
        flags += ["--top-down", "--topographic"]
    file = command("pbl", "pbl/columns.nc", "--dt", 60, "--precision", precision, *flags)
    model = isobar.YSU(precision=precision, items_axis="last", time_step_s=60, **options)
    assert same(run(model, model.read(data / "pbl" / "columns.nc")), file) >= 17


@BOTH
@pytest.mark.parametrize("kind", ["radiation", "longwave", "shortwave"])
def test_radiation(command, data, precision, kind):
    file = command(kind, "radiation/columns.nc", "--precision", precision)
    folder = data / "radiation"
    waves = {"radiation": ("longwave", "shortwave"), "longwave": ("longwave",), "shortwave": ("shortwave",)}[kind]
    model = isobar.Radiation(
        [folder / f"ecckd-{wave}-32.nc" for wave in waves],
        [folder / f"ecckd-{wave}-32-clouds.nc" for wave in waves],
        precision=precision,
        items_axis="last",
    )
    columns = model.read(folder / "columns.nc")
    assert same(run(model, columns), file) >= 3 * len(waves)


def test_radiation_without_files_is_that_of_the_package(data):
    model = isobar.Radiation()
    columns = model.read(data / "radiation" / "columns.nc")
    out = model.run(**columns)
    named = isobar.Radiation([data / "radiation" / f"ecckd-{wave}-32.nc" for wave in ("longwave", "shortwave")])
    for name, array in named.run(**columns).items():
        assert np.array_equal(array, out[name]), name


@BOTH
def test_clear_sky(command, data, precision):
    file = command("adding", "adding/profiles.nc", "--levels", "--precision", precision)
    model = isobar.ClearSky(precision=precision, items_axis="last", output="levels")
    assert same(run(model, model.read(data / "adding" / "profiles.nc")), file) == 4
    file = command("adding", "adding/profiles.nc", "--levels", "--surface", "lambertian", "--linear-source")
    model = isobar.ClearSky(precision="f64", items_axis="last", output="levels")
    columns = model.read(data / "adding" / "profiles.nc", surface="lambertian", linear_source=True)
    assert same(run(model, columns), file) == 4


@BOTH
def test_scattering(command, tmp_path, precision):
    netCDF4 = pytest.importorskip("netCDF4")
    profiles, layers, cosine = 5, 30, 0.75
    depth = np.geomspace(0.001, 0.1, layers)[:, None] * np.linspace(0.5, 2, profiles)
    cloud = np.zeros(depth.shape)
    cloud[18:21] = np.linspace(0.1, 3, profiles)
    fields = {
        "optical_depth": depth + cloud, "single_scattering_albedo": 0.6 * cloud / (depth + cloud),
        "asymmetry": np.where(cloud > 0, 0.8125, 0.0),
        "planck_radiance": np.linspace(30, 100, layers)[:, None] * np.ones(profiles),
        "surface_planck": np.full(profiles, 105.0), "cosmic_background": np.full(profiles, 0.25),
    }
    path = tmp_path / "cloudy.nc"
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("layer", layers), ("profile", profiles), ("angle", 1)):
            file.createDimension(name, size)
        surface = {"cosine": np.array([cosine]), "emissivity": np.full((1, profiles), 0.9375)}
        for name, array in {**surface, **fields}.items():
            usual = ("layer", "profile")[-array.ndim :]
            dimensions = {"cosine": ("angle",), "emissivity": ("angle", "profile")}.get(name, usual)
            variable = file.createVariable(name, "f8", dimensions)
            variable[...] = array
            radiances = ("planck_radiance", "surface_planck", "cosmic_background")
            variable.units = "mW m-2 sr-1 cm" if name in radiances else "1"
    theirs = command("adding", path, "--streams", 8, "--precision", precision)["top_radiance"]
    model = isobar.Scattering(precision=precision, items_axis="last", nodes=4)
    fields["surface_planck_radiance"] = fields.pop("surface_planck")
    fields = {name: array.astype(precision.replace("f", "float")) for name, array in fields.items()}
    out = run(model, fields, viewing_cosine=cosine, emissivity=0.9375)
    assert (out.status == 0).all()
    # The angle is the last stream.
    assert np.array_equal(out.top_radiance[-1], theirs[0])


@BOTH
def test_rrtmg_longwave(command, data, precision):
    root = Path(os.environ.get("ISOBAR_REFERENCE", Path(__file__).parents[4] / "shared" / "reference"))
    path = root / "rrtmg_lw" / "coeff" / "RRTMG_LW_DATA_DBL"
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    file = command("longwave", "radiation/columns.nc", "--kdist", path, "--precision", precision, "--assume-zero")
    model = isobar.Radiation(path, precision=precision, items_axis="last")
    out = run(model, model.read(data / "radiation" / "columns.nc", assume_zero=True))
    assert same(out, file) >= 3


def test_chemistry(command, data):
    mechanism = data / "mechanisms" / "chapman_nox.kpp"
    file = command(
        "chem", "--mechanism", mechanism, "--cells", "chemistry/cells.nc", "--hours", 2, "--dt", 600,
        "--method", "rodas4", "--rtol", "1e-4",
    )
    model = isobar.Chemistry(mechanism, items_axis="last", method="rodas4", relative_tolerance=1e-4)
    cells = model.read(data / "chemistry" / "cells.nc")
    out = cells
    for step in range(12):
        start = 600.0 * step
        inputs = model.read(data / "chemistry" / "cells.nc", time_s=start)["rate_input"]
        out = model.run(
            concentration=out["concentration"], first_step_s=out["first_step_s"], rate_input=inputs, start_s=start,
            end_s=start + 600,
        )
        assert (out.status == 0).all()
    compared = 0
    for number, name in enumerate(model.species):
        theirs = file[name][-1]
        if theirs.max() < 1:
            # The command writes mole fractions of what was given so.
            continue
        assert np.array_equal(out["concentration"][number], theirs), name
        compared += 1
    assert compared >= 4
    assert np.array_equal(out["next_step_s"], file["next_step"])


def test_infrared(data):
    model = isobar.Infrared(data / "limb" / "limb.ctl", settings={"TBLBASE": str(data / "tables" / "demo")})
    rays = np.loadtxt(data / "limb" / "obs.tab", comments="#")
    names = [
        "time_s", "observer_height_km", "observer_longitude_deg", "observer_latitude_deg", "view_point_height_km",
        "view_point_longitude_deg", "view_point_latitude_deg",
    ]
    fields = {name: np.ascontiguousarray(rays[:, column]) for column, name in enumerate(names)}
    out = model.run(**fields, atmosphere=data / "limb" / "atm.tab")
    channels = len(model.facts["wavenumbers_per_cm"])
    expected = np.loadtxt(data / "limb" / "rad.tab", comments="#")
    # The file has seven numbers a ray and three a tangent point before its radiances.
    radiance = expected[:, 10 : 10 + channels]
    assert out.radiance.shape == radiance.shape
    # Files have six or more digits.
    assert np.allclose(out.radiance, radiance, rtol=1e-5, atol=0)
