"""Prints the coefficients of GeodesicSeries.swift, exactly, from the integrals of the paper.

C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), equations 7, 8, 15, 20, 41, 60. Power series in n and
epsilon (third flattenings of the ellipsoid and of the geodesic) whose coefficients are Laurent polynomials in
z = exp(i sigma), in rational arithmetic: {(power of n, power of epsilon, power of z): coefficient}.
"""
from fractions import Fraction as F
from math import factorial

ORDER = 6


def times(p, q, order):
    r = {}
    for (i, j, m), x in p.items():
        for (k, l, o), y in q.items():
            if i + j + k + l <= order:
                r[i + k, j + l, m + o] = r.get((i + k, j + l, m + o), 0) + x * y
    return {key: x for key, x in r.items() if x}


def plus(p, q, factor=F(1)):
    r = dict(p)
    for key, x in q.items():
        r[key] = r.get(key, 0) + factor * x
    return {key: x for key, x in r.items() if x}


def series(p, coefficients, order):
    """Sum of coefficients[k] p^k, for a p without a constant term."""
    r, power = {}, {(0, 0, 0): F(1)}
    for c in coefficients:
        r = plus(r, power, F(c))
        power = times(power, p, order)
    return r


def binomial(exponent, count):
    r = [F(1)]
    for k in range(1, count + 1):
        r.append(r[-1] * (F(exponent) - k + 1) / k)
    return r


def coefficient(p, m):
    return {(i, j): x for (i, j, o), x in p.items() if o == m}


def show(name, p):
    print(name, " ".join(f"{x}*n^{i}*e^{j}" for (i, j), x in sorted(p.items(), key=lambda t: (t[0][1], t[0][0]))))


E, ONE = {(0, 1, 0): F(1)}, {(0, 0, 0): F(1)}


def root(exponent, order):
    """(1 - 2 e cos 2sigma + e^2)^exponent."""
    return times(
        series({(0, 1, 2): F(-1)}, binomial(exponent, order), order),
        series({(0, 1, -2): F(-1)}, binomial(exponent, order), order), order)


# I1 and I2: A (sigma + sum C_l sin 2 l sigma); A is shown without its factor 1/(1 - e) or (1 - e).
for number, exponent in ((1, F(1, 2)), (2, F(-1, 2))):
    p = root(exponent, ORDER)
    mean = {(i, j, 0): x for (i, j), x in coefficient(p, 0).items()}
    show(f"A{number}", coefficient(p, 0))
    shape = times(p, series(plus(mean, ONE, F(-1)), binomial(-1, ORDER), ORDER), ORDER)
    for l in range(1, ORDER + 1):
        show(f"C{number}{l}", {k: x / l for k, x in coefficient(shape, 2 * l).items()})
    if number == 1:
        b = {}
        for (i, j, m), x in shape.items():
            if m:
                b[i, j, m] = x / m
        reverted, power = {}, ONE
        for k in range(1, ORDER + 1):
            power = times(power, b, ORDER)
            reverted = plus(reverted, {(i, j, m): x * F(m) ** (k - 1) for (i, j, m), x in power.items()},
                            F((-1) ** k, factorial(k)))
        for l in range(1, ORDER + 1):
            show(f"C1'{l}", {k: 2 * x for k, x in coefficient(reverted, 2 * l).items()})

# I3, to the order 5, as it is multiplied by f.
order = ORDER - 1
s = times(root(F(1, 2), order), series(E, [1] * (order + 1), order), order)
d = plus(plus(ONE, {(1, 0, 0): F(1)}), times(plus(ONE, {(1, 0, 0): F(-1)}), s, order))
d = plus({key: x / 2 for key, x in d.items()}, ONE, F(-1))
p = series(d, binomial(-1, order), order)
mean = {(i, j, 0): x for (i, j), x in coefficient(p, 0).items()}
show("A3", coefficient(p, 0))
shape = times(p, series(plus(mean, ONE, F(-1)), binomial(-1, order), order), order)
for l in range(1, ORDER):
    show(f"C3{l}", {k: x / l for k, x in coefficient(shape, 2 * l).items()})

# I4: the divided difference of t(x) = x + sqrt(1 + 1/x) asinh(sqrt x) = sum t_k x^k.
asinh = [binomial(F(-1, 2), order + 2)[k] / (2 * k + 1) for k in range(order + 3)]
half = binomial(F(1, 2), order + 2)
t = [sum(half[k - i] * asinh[i] for i in range(k + 1)) for k in range(order + 3)]
t[1] += 1
x = times({(1, 0, 0): F(4)}, series({(1, 0, 0): F(-1)}, binomial(-2, order), order), order)
y = plus(times(s, s, order), ONE, F(-1))
p, powers = {}, [ONE]
for k in range(order + 1):
    powers.append(times(powers[-1], x, order))
ypowers = [ONE]
for k in range(order + 1):
    ypowers.append(times(ypowers[-1], y, order))
for k in range(1, order + 3):
    for i in range(k):
        if i <= order and k - 1 - i <= order:
            p = plus(p, times(powers[i], ypowers[k - 1 - i], order), t[k])
for l in range(ORDER):
    g = plus({(i, j, 0): c for (i, j), c in coefficient(p, 2 * l).items()},
             {(i, j, 0): c for (i, j), c in coefficient(p, 2 * l + 2).items()}, F(-1))
    show(f"C4{l}", {(i, j): c / (2 * (2 * l + 1)) for (i, j, _), c in g.items()})
