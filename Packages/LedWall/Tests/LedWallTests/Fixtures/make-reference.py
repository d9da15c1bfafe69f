#!/usr/bin/env python3
"""Writes frames.csv and motion.csv, the values that the wall's frames and motion are held to.

It follows the definition of the wall step by step and shares no code with the package:
    python3 make-reference.py
"""
import math
import pathlib

HERE = pathlib.Path(__file__).parent
COLORS = {
    "idle": (0x56, 0x73, 0x9E), "failed": (0x56, 0x73, 0x9E),
    "connecting": (0xD9, 0x9A, 0x6C), "thinking": (0xD9, 0x9A, 0x6C),
    "listening": (0x6F, 0x8F, 0xF7), "speaking": (0x9D, 0xC2, 0xFF),
}


def place(n, r, c):
    half = (n - 1) / 2
    dx, dy = ((c - half) / half, (r - half) / half) if half else (0.0, 0.0)
    x = math.sin(12.9898 * r + 78.233 * c) * 43758.5453
    return math.sqrt(dx * dx + dy * dy), 2 * math.pi * (x - math.floor(x))


def dot(rad, phase, state, level, seconds):
    if not math.isfinite(level) or level < 0:
        level = 0.0
    level = min(1.0, level)
    t = 30 * seconds
    if state in ("idle", "failed"):
        vis, size = 0.16 - 0.08 * rad, 1.0
    elif state in ("speaking", "listening") and level > 0:
        lvl = min(1.0, 1.3 * level)
        falloff = math.exp(-rad ** 2 * (2.0 - 1.1 * lvl))
        ripple = 0.62 + 0.38 * math.sin(0.32 * t + phase)
        vis = falloff * (0.35 + lvl) * ripple * (1 if state == "speaking" else 0.55)
        size = 1 + 1.4 * (1 - rad) * lvl
    else:
        breathe = 0.5 + 0.5 * math.sin(0.12 * t + phase)
        vis, size = 0.14 - 0.06 * rad + 0.04 * breathe, 1 + 0.3 * (1 - rad)
    return min(1.0, max(0.02, vis)), size


def ease(x):
    """CSS's cubic-bezier(0.25, 0.1, 0.25, 1), solved by halving."""
    def axis(t, p1, p2):
        return 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t * t * p2 + t ** 3
    if x <= 0 or x >= 1:
        return min(1.0, max(0.0, x))
    low, high = 0.0, 1.0
    for _ in range(80):
        mid = (low + high) / 2
        low, high = (mid, high) if axis(mid, 0.25, 0.25) < x else (low, mid)
    return axis(low, 0.1, 1.0)


class Approach:
    """A value that sets out anew from where it is at each new target."""

    def __init__(self, value, duration, curve):
        self.start, self.target, self.since = value, value, -math.inf
        self.duration, self.curve = duration, curve

    def at(self, now):
        if now - self.since >= self.duration:
            return self.target
        return self.start + (self.target - self.start) * self.curve((now - self.since) / self.duration)

    def aim(self, target, now):
        if target != self.target:
            self.start, self.target, self.since = self.at(now), target, now


def frames():
    cases = [
        (21, "idle", 0, 0), (21, "failed", 0.5, 12.5), (21, "connecting", 0, 1.25), (21, "thinking", 0.7, 77.7),
        (21, "speaking", 0.6, 3.2), (21, "speaking", 1, 86400), (21, "speaking", 0, 2), (21, "listening", 0.31, 0.05),
        (21, "listening", 7, 2592000.0), (17, "speaking", 0.9, 4), (17, "thinking", 0, 3), (2, "speaking", 0.4, 1),
        (1, "speaking", 0.8, 1.5), (8, "listening", 0.77, 9), (20, "speaking", 0.123, 0.4),
    ]
    lines = []
    for n, state, level, seconds in cases:
        row = [str(n), state, repr(float(level)), repr(float(seconds))]
        for r in range(n):
            for c in range(n):
                row += ["%.9f" % v for v in dot(*place(n, r, c), state, level, seconds)]
        lines.append(",".join(row))
    (HERE / "frames.csv").write_text("\n".join(lines) + "\n")


def motion():
    # State, level and the seconds until the next picture; odd steps, a long pause, changes in the middle of a fade.
    script = [("idle", 0, 1 / 30)] * 3 + [("connecting", 0, 1 / 30)] * 5 + [("speaking", 0.5, 0.021)] * 8
    script += [("speaking", 0.9, 0.05)] * 4 + [("thinking", 0, 0.04)] * 2 + [("speaking", 0.2, 1 / 60)] * 9
    script += [("listening", 0.7, 0.2)] * 3 + [("idle", 0, 0.03)] * 5 + [("idle", 0, 100)] + [("speaking", 1, 0.045)] * 4
    n = 21
    dots = [0, 10, 97, 219, 220, 221, 300, 439, 440]
    places = [place(n, d // n, d % n) for d in dots]
    now = 50000.0
    lines, ways, color, glow = [], None, None, None
    for state, level, step in script:
        targets = [v for p in places for v in dot(*p, state, level, now)]
        shade = [v / 255 for v in COLORS[state]]
        radius = 14.0 if state == "speaking" else 0.0
        if ways is None:
            ways = [Approach(v, 0.09, lambda x: x) for v in targets]
            color = [Approach(v, 0.22, ease) for v in shade]
            glow = Approach(radius, 0.22, ease)
        values = [w.at(now) for w in ways]
        looks = [w.at(now) for w in color] + [glow.at(now)]
        for way, target in zip(ways, targets):
            way.aim(target, now)
        # All three components set out together, whether they differ or not.
        for way, target in zip(color, shade):
            way.aim(target, now)
        glow.aim(radius, now)
        lines.append(",".join([state, repr(float(level)), repr(now)] + ["%.9f" % v for v in looks + values]))
        now += step
    (HERE / "motion.csv").write_text("dots," + ",".join(map(str, dots)) + "\n" + "\n".join(lines) + "\n")


frames()
motion()
