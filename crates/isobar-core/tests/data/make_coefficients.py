"""Minimax polynomials of isobar_core::math: prints the coefficients, lowest power first, and the error of each.

    pip install mpmath
    python3 make_coefficients.py

Each row is: name, remainder g(x) to approximate, weight w(x), interval, number of coefficients, precision. The
polynomial p minimises max |w (p - g)| (Remez's exchange algorithm); the weight turns the error of p into the relative
error of the function that p serves. Coefficients are then rounded to the precision that evaluates them.
"""
import struct
from mpmath import mp, mpf, exp, log, log1p, expm1, matrix, lu_solve, cos, pi, atanh, sin, ln, nstr, fabs

mp.dps = 60


def remez(g, w, low, high, n):
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * (n - i) / n) for i in range(n + 1)]
    grid = [low + (high - low) * mpf(i) / 3000 + mpf(10) ** -25 for i in range(3000)] + [high]
    values = [(x, g(x), w(x)) for x in grid]
    for _ in range(12):
        system = matrix(n + 1, n + 1)
        right = matrix(n + 1, 1)
        for i, x in enumerate(nodes):
            for j in range(n):
                system[i, j] = x ** j
            system[i, n] = (-1) ** i / w(x)
            right[i] = g(x)
        c = lu_solve(system, right)
        coefficients = [c[j] for j in range(n)]
        errors = []
        for x, gx, wx in values:
            p = mpf(0)
            for a in reversed(coefficients):
                p = p * x + a
            errors.append((wx * (p - gx), x))
        peaks, best = [], errors[0]
        for e in errors[1:]:
            if (e[0] > 0) == (best[0] > 0):
                best = e if fabs(e[0]) > fabs(best[0]) else best
            else:
                peaks.append(best)
                best = e
        peaks.append(best)
        while len(peaks) > n + 1:
            peaks.pop(0 if fabs(peaks[0][0]) < fabs(peaks[-1][0]) else -1)
        if len(peaks) < n + 1:
            break
        nodes = [x for _, x in peaks]
        worst, least = max(fabs(e) for e, _ in peaks), min(fabs(e) for e, _ in peaks)
        if worst / least < mpf("1.01"):
            break
    return coefficients, max(fabs(e) for e, _ in errors)


def single(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def exponential(r):
    return (expm1(r) - r - r**2 / 2) / r**3 if fabs(r) > 1e-12 else mpf(1) / 6


def power_of_two(f):
    return expm1(f * ln(2)) / f if fabs(f) > 1e-14 else ln(2)


half = ln(2) / 2 * mpf("1.0001")
root = mp.sqrt(2)
small_s = ((root - 1) / (root + 1)) ** 2 * mpf("1.001")
low, high = 1 / root - 1 - mpf(10) ** -4, root - 1 + mpf(10) ** -4


def log1p_rest(f):
    return (log1p(f) - f + f * f / 2) / f**3 if fabs(f) > 1e-14 else mpf(1) / 3


def sine_rest(z):
    return (sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def sine_weight(z):
    return z / (sin(mp.sqrt(z)) / mp.sqrt(z))


def cosine_rest(z):
    return (cos(mp.sqrt(z)) - 1) / z


tiny, eighth_turn = mpf(10) ** -20, mpf("0.63")
rows = [
    ("exp f64", exponential, lambda r: max(r**2, mpf(10) ** -3), -half, half, 10, float),
    ("exp f32", exponential, lambda r: max(r**2, mpf(10) ** -3), -half, half, 5, single),
    ("exp2_m1 f64", power_of_two, lambda f: 1 / power_of_two(f), -mpf("0.50001"), mpf("0.50001"), 11, float),
    ("exp2_m1 f32", power_of_two, lambda f: 1 / power_of_two(f), -mpf("0.50001"), mpf("0.50001"), 6, single),
    ("ln f32", log1p_rest, lambda f: max(f**2, mpf(10) ** -6), low, high, 9, single),
    ("reciprocal", lambda f: 1 / (1 + f), lambda f: 1 + f, low, high, 3, single),
    ("ln for powf f32", lambda z: atanh(mp.sqrt(z)) / mp.sqrt(z), lambda z: mpf(1), mpf(10) ** -20, small_s, 6, float),
    ("exp for powf f32", lambda r: exp(r), lambda r: 1 / exp(r), -half, half, 8, float),
    ("sin f32 in f64", sine_rest, sine_weight, tiny, eighth_turn, 4, float),
    ("cos f32 in f64", cosine_rest, lambda z: z / cos(mp.sqrt(z)), tiny, eighth_turn, 5, float),
]

if __name__ == "__main__":
    for name, g, w, a, b, n, rounded in rows:
        coefficients, error = remez(g, w, a, b, n)
        print(f"{name}: error 2^{nstr(mp.log(error, 2), 4)}")
        for c in coefficients:
            print(f"    {rounded(c)!r}," if rounded is float else f"    {nstr(mpf(rounded(c)), 9)},")
