"""Reference values of the elementary functions of f64: writes <function>.txt beside itself.

    pip install mpmath
    python3 make_tables.py

A line is: the bits of the argument (two for powf and atan2), the bits of the nearest f64 to the true result, and what
that lacks to the true result in units in its last place. Arguments: a ladder over all magnitudes, the ranges that
column physics uses, the neighbourhoods of the points where methods change, and random bits, from a fixed seed.
"""
import math
import os
import random
import struct
from mpmath import mp, mpf, nint, ldexp, frexp, mpf as F

mp.prec = 400
MAX, TINY = 1.7976931348623157e308, 5e-324


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def from_bits(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def rounded(value):
    """The nearest f64 and the rest in its units; None where there is no finite result."""
    if value == 0:
        return 0.0, 0.0
    _, exponent = frexp(abs(value))
    unit = max(int(exponent) - 53, -1074)
    scaled = ldexp(value, -unit)
    whole = nint(scaled)
    result = ldexp(whole, unit)
    if abs(result) > MAX:
        return None
    return float(result), float(scaled - whole)


def around(points, random_):
    for p in points:
        for _ in range(12):
            yield p * (1 + random_.uniform(-1, 1) * 2.0 ** -random_.randint(2, 52))
        for step in (-2, -1, 0, 1, 2):
            yield from_bits(bits(abs(p)) + step) * math.copysign(1, p) if p else p


def arguments(name, random_):
    ranges, points, signed = RANGES[name]
    for low, high in ranges:
        for _ in range(250):
            yield random_.uniform(low, high)
    yield from around(points, random_)
    for _ in range(300):
        x = from_bits(random_.getrandbits(63))
        if math.isfinite(x):
            yield x
            if signed:
                yield -x
    for e in range(-1074, 1024, 13):
        x = math.ldexp(1 + random_.random(), e) if e > -1022 else math.ldexp(random_.randint(1, 4096), -1074)
        yield x
        if signed:
            yield -x


LN2, PI = math.log(2), math.pi
RANGES = {
    "exp": (
        [(-1, 1), (-50, 5), (-745, 709)],
        [LN2 / 2, -LN2 / 2, LN2, -LN2, 1, -708.5, -745, 709.7, 30 * LN2 + LN2 / 2],
        True,
    ),
    "exp_m1": (
        [(0.3465, 0.36), (-1, 1), (-40, 5), (-5, 709)],
        [LN2 / 2, -LN2 / 2, LN2, -LN2, 1.5 * LN2, -1.5 * LN2, -36.7, 37.4, 36.7, 709.7, 1e-8],
        True,
    ),
    "ln": ([(0.5, 2), (0, 10), (100, 1e5)], [1, math.sqrt(2), math.sqrt(0.5), 2, 0.5, MAX / 8], False),
    "ln_1p": (
        [(-0.99, 1), (0, 10), (100, 1e5)],
        [-0.999, math.sqrt(2) - 1, math.sqrt(0.5) - 1, 1, -0.5, 1e-8, -1e-8, 9e15, MAX / 8],
        False,
    ),
    "cbrt": ([(1, 8), (0, 1), (100, 1e5)], [1, 2, 4, 8, MAX / 8], True),
    "tanh": ([(-1, 1), (-3, 3), (-20, 20)], [LN2 / 4, LN2 / 2, 18.7, 22, 0.55, 1e-8], True),
    "sin": (
        [(0.7, 0.8), (-4, 4), (-100, 100), (-1e6, 1e6)],
        [k * PI / 4 for k in range(1, 9)] + [1000 * PI, 524288 * PI, 12345.5 * PI],
        True,
    ),
    "asin": ([(-1, 1), (-0.55, 0.55), (0.97, 1)], [0.5, -0.5, 0.975, 0.9999, 1e-8], True),
    "atan": ([(-1, 1), (-4, 4), (-1e3, 1e3)], [0.4375, 0.6875, 1.1875, 2.4375, 1], True),
}
for other in ("cos", "tan"):
    RANGES[other] = RANGES["sin"]
RANGES["acos"] = RANGES["asin"]
FUNCTIONS = {
    "exp": mp.exp, "exp_m1": mp.expm1, "ln": mp.ln, "ln_1p": mp.log1p, "tanh": mp.tanh, "sin": mp.sin, "cos": mp.cos,
    "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
}
DOMAIN = {
    "exp": lambda x: -760 < x < 720, "exp_m1": lambda x: x < 720, "ln": lambda x: x > 0, "ln_1p": lambda x: x > -1,
    "sin": lambda x: abs(x) < 1e6, "cos": lambda x: abs(x) < 1e6, "tan": lambda x: abs(x) < 1e6,
    "asin": lambda x: abs(x) <= 1, "acos": lambda x: abs(x) <= 1,
}


def write(name, rows):
    seen = sorted(set(rows))
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".txt")
    with open(path, "w") as file:
        for row in seen:
            file.write(row + "\n")
    print(name, len(seen))


def true_value(name, x):
    x = F(x)
    if name in ("exp_m1", "tanh") and abs(x) > 200:
        return mp.exp(x) - 1 if name == "exp_m1" else mp.sign(x) * (1 - mpf(2) ** -300)
    # Tiny arguments lose what the working precision holds; series there have one or two terms.
    if abs(x) < mpf(2) ** -100 and name not in ("exp", "cos", "ln", "acos", "cbrt"):
        square = {"exp_m1": x / 2, "ln_1p": -x / 2}.get(name, mpf(0))
        return x * (1 + square)
    return FUNCTIONS[name](x)


def pairs(name, random_):
    for _ in range(500):
        if name == "atan2":
            yield random_.uniform(-10, 10), random_.uniform(-10, 10)
            yield from_bits(random_.getrandbits(64)), from_bits(random_.getrandbits(64))
            yield random_.uniform(-1, 1), random_.choice([-1, 1]) * 2.0 ** random_.randint(-30, 30)
        else:
            yield random_.uniform(0, 10), random_.uniform(-10, 10)
            x = from_bits(random_.getrandbits(63))
            if 0 < x < MAX:
                yield x, random_.uniform(-745, 709) / abs(math.log(x))
            x = 1 + random_.uniform(-1, 1) * 2.0 ** -random_.randint(1, 45)
            if x != 1:
                yield x, random_.uniform(-744, 709) / abs(math.log(x))


def main():
    for name in FUNCTIONS:
        random_ = random.Random("isobar " + name)
        rows = []
        for x in arguments(name, random_):
            if not DOMAIN.get(name, lambda _: True)(x) or x == 0:
                continue
            result = rounded(true_value(name, x))
            if result:
                rows.append(f"{bits(x):016x} {bits(result[0]):016x} {result[1]:.4f}")
        write(name, rows)
    for name in ("powf", "atan2"):
        random_ = random.Random("isobar " + name)
        rows = []
        for a, b in pairs(name, random_):
            if not (math.isfinite(a) and math.isfinite(b) and a and b):
                continue
            result = rounded(mp.power(F(a), F(b)) if name == "powf" else mp.atan2(F(a), F(b)))
            if result:
                rows.append(f"{bits(a):016x} {bits(b):016x} {bits(result[0]):016x} {result[1]:.4f}")
        write(name, rows)


if __name__ == "__main__":
    main()
