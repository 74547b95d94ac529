"""What a layer does to sunlight and its slopes, by mpmath: Meador and Weaver (1980), Eq. 14 to 26, with Zdunkowski's
coefficients; derivatives by differences with 60 digits. Columns: absorption, scattering, forward scattering, cosine of
the zenith angle; then for each of reflectance, transmittance, extinct, up and down its four slopes."""
import random
from mpmath import mp, mpf, exp, sqrt, cosh, sinh

mp.dps = 80

def layer(absorption, scattering, forward, mu):
    tau = absorption + scattering
    w, g = scattering / tau, forward / scattering if scattering else mpf(0)
    g1 = (8 - w * (5 + 3 * g)) / 4
    g2 = 3 * w * (1 - g) / 4
    g3 = (2 - 3 * mu * g) / 4
    g4 = 1 - g3
    a1, a2 = g1 * g4 + g2 * g3, g1 * g3 + g2 * g4
    k = sqrt((g1 - g2) * (g1 + g2))
    e, f = exp(k * tau), exp(-k * tau)
    d = (k + g1) * e + (k - g1) * f
    r = g2 * (e - f) / d
    t = 2 * k / d
    b = exp(-tau / mu)
    x = k * mu
    up = w / ((1 - x * x) * d) * (
        (1 - x) * (a2 + k * g3) * e - (1 + x) * (a2 - k * g3) * f - 2 * k * (g3 - a2 * mu) * b)
    down = -w / ((1 - x * x) * d) * (
        (1 + x) * (a1 + k * g4) * e * b - (1 - x) * (a1 - k * g4) * f * b - 2 * k * (g4 + a1 * mu))
    return [r, t, 1 - b, up, down]

def slopes(inputs):
    found = []
    rows = []
    for i, value in enumerate(inputs):
        step = value * mpf(10) ** -25
        more, less = list(inputs), list(inputs)
        more[i] += step
        less[i] -= step
        rows.append([(p - m) / (2 * step) for p, m in zip(layer(*more), layer(*less))])
    return [[rows[i][m] for i in range(4)] for m in range(5)]

random.seed(3)
print("# By two_stream.py beside this file.")
cases = []
for co in [1e-14, 1e-11, 1e-8, 1e-5, 1e-2, 0.3]:
    for tau in [1e-9, 1e-4, 0.1, 1.0, 30.0, 900.0]:
        cases.append((tau, co, random.uniform(0.1, 0.85), random.choice([0.02, 0.3, 0.71, 1.0])))
for _ in range(8):
    depth = 10 ** random.uniform(-3, 2)
    cases.append((depth, random.uniform(0.1, 0.9), random.uniform(0, 0.9), random.uniform(0.05, 1)))
for tau, co, g, mu in cases:
    absorption, scattering = float(tau * co), float(tau * (1 - co))
    inputs = [absorption, scattering, float(scattering * g), mu]
    numbers = layer(*[mpf(x) for x in inputs]) + [slope for row in slopes([mpf(x) for x in inputs]) for slope in row]
    print(*[repr(x) for x in inputs], *[mp.nstr(number, 17) for number in numbers])
