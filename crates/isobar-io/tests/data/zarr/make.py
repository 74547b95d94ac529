"""Writes the Zarr stores beside this script, as others do: `pip install zarr==3.1.6 xarray==2026.9.0 numpy`.

The numbers are those of `tests/main/zarr.rs`: temperature = 200 + 10 level + profile [K], missing at level 3, profile
1; height = -5000 + 100 index [m], packed in steps of 0.5 with an offset of 10; time = 2**40 + profile [s].
"""

import pathlib
import shutil

import numpy as np
import xarray as xr
import zarr
from zarr.codecs import BloscCodec, GzipCodec

LEVELS, PROFILES = 5, 3
here = pathlib.Path(__file__).parent


def dataset():
    level, profile = np.meshgrid(np.arange(LEVELS), np.arange(PROFILES), indexing="ij")
    temperature = (200 + 10 * level + profile).astype("f4")
    temperature[3, 1] = np.nan
    height = -5000.0 + 100.0 * np.arange(LEVELS * PROFILES).reshape(LEVELS, PROFILES)
    return xr.Dataset(
        {
            "temperature": (("level", "profile"), temperature, {"units": "K"}),
            "height": (("level", "profile"), height, {"units": "m"}),
            "time": ("profile", 2**40 + np.arange(PROFILES), {"units": "s"}),
            "land": ("profile", np.array([True, False, True]), {"units": "1"}),
            "station": ("profile", np.array(["Payerne", "Lindenberg", ""], dtype=object)),
        },
        attrs={"title": "of others", "fraction": 0.25},
    )


packed = {"dtype": "i2", "scale_factor": 0.5, "add_offset": 10.0, "_FillValue": -32768}

# Version 2, as zarr-python 2 writes by default: Blosc with lz4. Bytes of the other order, columns first, and chunks
# that do not divide the array.
store = here / "version-2.zarr"
shutil.rmtree(store, ignore_errors=True)
dataset().to_zarr(
    store,
    zarr_format=2,
    encoding={
        "temperature": {"dtype": ">f4", "chunks": (2, 2), "_FillValue": np.float32(-999)},
        "height": packed | {"chunks": (3, 3)},
    },
)
columns_first = zarr.open_group(store, mode="r+").create_array(
    "pressure", shape=(LEVELS, PROFILES), chunks=(4, 2), dtype="f8", order="F", fill_value=0.0
)
columns_first[:] = 1000.0 * np.arange(1, LEVELS * PROFILES + 1).reshape(LEVELS, PROFILES)
columns_first.attrs.update({"_ARRAY_DIMENSIONS": ["level", "profile"], "units": "Pa"})

# Version 3: shards, several codecs, a group.
store = here / "version-3.zarr"
shutil.rmtree(store, ignore_errors=True)
dataset().to_zarr(
    store,
    zarr_format=3,
    encoding={
        "temperature": {"chunks": (1, 2), "shards": (2, 4), "_FillValue": np.float32(-999)},
        "height": packed | {"compressors": (GzipCodec(),)},
        "time": {"compressors": (BloscCodec(cname="zstd"),)},
    },
)
inner = xr.Dataset({"pressure": (("level",), 1000.0 * np.arange(1, LEVELS + 1), {"units": "Pa"})})
inner.to_zarr(store, group="inner", zarr_format=3, mode="a")
