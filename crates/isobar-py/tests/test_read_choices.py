"""Choices of `read` without effect are warned of, as the command does."""

import warnings

import numpy as np
import pytest

import isobar


@pytest.fixture
def files(data):
    mechanism = data / "mechanisms" / "chapman_nox.kpp"
    return {
        "radiation": (isobar.Radiation(device="thread"), data / "radiation" / "columns.nc"),
        "pbl": (isobar.YSU(time_step_s=60, device="thread"), data / "pbl" / "columns.nc"),
        "chemistry": (isobar.Chemistry(mechanism, end_s=60, device="thread"), data / "chemistry" / "cells.nc"),
    }


def said(model, path, **choices):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fields = model.read(path, **choices)
    return fields, [str(warning.message) for warning in caught]


@pytest.mark.parametrize("scheme, choices, words", [
    ("radiation", {"names": {"ozon": "o3"}}, "names: ozon = o3 has no effect: nothing is read as ozon"),
    ("pbl", {"names": {"roughnes": "znt"}}, "names: roughnes = znt has no effect: nothing is read as roughnes"),
    ("pbl", {"values": {"rougness": 0.1}}, "values: rougness = 0.1 has no effect: nothing is read as rougness"),
    ("radiation", {"surface": "black"}, "surface has no effect: it is of files for profiles"),
    ("radiation", {"time_s": 5.0}, "time_s has no effect: it is of files for chemistry"),
    ("radiation", {"values": {"roughness": 1.0}}, "values has no effect: it is of files for boundary layers"),
    ("pbl", {"gases": {"co2": 1e-3}}, "gases has no effect: it is of files for radiation"),
    ("pbl", {"clouds": False}, "clouds has no effect: it is of files for radiation"),
    ("chemistry", {"names": {"O3": "ozone"}}, "names has no effect: it is of files for columns"),
])
def test_choices_without_effect(files, scheme, choices, words):
    model, path = files[scheme]
    plain, before = said(model, path)
    fields, after = said(model, path, **choices)
    new = [text for text in after if text not in before]
    assert len(new) == 1 and new[0].startswith(words)
    assert all(np.array_equal(fields[name], plain[name], equal_nan=True) for name in plain)


def test_choices_with_effect_are_silent(files):
    for scheme, choices in (
        ("pbl", {"values": {"roughness": 0.1}}), ("radiation", {"gases": {"co2": 4e-4}, "clouds": True}),
        ("chemistry", {"time_s": 0.0}),
    ):
        model, path = files[scheme]
        # What is derived may differ.
        assert not any("has no effect" in text for text in said(model, path, **choices)[1])
