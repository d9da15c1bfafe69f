#!/usr/bin/env python3
"""Writes projection_reference.csv and unprojection_reference.csv, the values MapProjection is tested against.

The computation follows the transform of MapLibre GL JS: absolute Web Mercator positions in a world of 512 * 2^zoom
points, a 4x4 perspective matrix with a field of view of 0.6435011087932844 rad, the camera's distance, pitch and
bearing as further matrices, and for the way back the inverse matrix and the ray through two depths. It shares no
formula with the Swift code, which works relative to the centre without matrices, and runs with 60 digits (mpmath).

    python3 make_projection_reference.py
"""
import csv
import random

from mpmath import atan, cos, exp, inf, log, matrix, mp, mpf, pi, sin, tan

mp.dps = 60
FIELD_OF_VIEW = mpf(0.6435011087932844)
TILE_SIZE = 512


def mercator(latitude, longitude):
    x = (180 + mpf(longitude)) / 360
    y = (180 - 180 / pi * log(tan(pi / 4 + mpf(latitude) * pi / 360))) / 360
    return x, y


def place(x, y):
    return 360 / pi * atan(exp((180 - y * 360) * pi / 180)) - 90, x * 360 - 180


def pixel_matrix(camera):
    latitude, longitude, zoom, bearing, pitch, width, height = map(mpf, camera)
    world = TILE_SIZE * mpf(2) ** zoom
    distance = height / 2 / tan(FIELD_OF_VIEW / 2)
    near, far = height / 50, distance * 1000
    f = 1 / tan(FIELD_OF_VIEW / 2)
    perspective = matrix([
        [f * height / width, 0, 0, 0],
        [0, f, 0, 0],
        [0, 0, (far + near) / (near - far), 2 * far * near / (near - far)],
        [0, 0, -1, 0],
    ])
    flip = matrix([[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    back = matrix([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -distance], [0, 0, 0, 1]])
    p = pitch * pi / 180
    tilt = matrix([[1, 0, 0, 0], [0, cos(p), -sin(p), 0], [0, sin(p), cos(p), 0], [0, 0, 0, 1]])
    a = -bearing * pi / 180
    turn = matrix([[cos(a), -sin(a), 0, 0], [sin(a), cos(a), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    x, y = mercator(latitude, longitude)
    move = matrix([[1, 0, 0, -x * world], [0, 1, 0, -y * world], [0, 0, 1, 0], [0, 0, 0, 1]])
    clip = matrix([[width / 2, 0, 0, width / 2], [0, -height / 2, 0, height / 2], [0, 0, 1, 0], [0, 0, 0, 1]])
    return clip * perspective * flip * back * tilt * turn * move, world


def project(camera, latitude, longitude):
    transform, world = pixel_matrix(camera)
    x, y = mercator(latitude, longitude)
    point = transform * matrix([x * world, y * world, 0, 1])
    return None if point[3] <= 0 else (point[0] / point[3], point[1] / point[3])


def unproject(camera, x, y):
    transform, world = pixel_matrix(camera)
    inverse = transform ** -1
    first = inverse * matrix([mpf(x), mpf(y), 0, 1])
    second = inverse * matrix([mpf(x), mpf(y), 1, 1])
    first, second = first / first[3], second / second[3]
    if first[2] == second[2]:
        return None
    t = -first[2] / (second[2] - first[2])
    ground_x, ground_y = first[0] + (second[0] - first[0]) * t, first[1] + (second[1] - first[1]) * t
    # A ray that climbs meets the ground behind the camera, where w is negative.
    if (transform * matrix([ground_x, ground_y, 0, 1]))[3] <= 0:
        return None
    return place(ground_x / world, ground_y / world)


def cameras(generator):
    yield (0.0, 0.0, 0.0, 0.0, 0.0, 512.0, 512.0)
    yield (47.60621, -122.33207, 12.4, 0.0, 0.0, 390.0, 844.0)
    yield (47.60621, -122.33207, 16.53, 315.0, 60.0, 390.0, 844.0)
    yield (80.0, 20.0, 18.0, 30.0, 45.0, 844.0, 390.0)
    yield (-33.86, 179.9999, 15.0, 90.0, 60.0, 390.0, 844.0)
    yield (85.051129, -179.9999, 22.0, 180.0, 60.0, 390.0, 844.0)
    while True:
        yield (
            round(generator.uniform(-85, 85), 7),
            round(generator.uniform(-180, 180), 7),
            round(generator.uniform(0, 22), 3),
            generator.choice([0.0, 90.0, round(generator.uniform(0, 359.999), 3)]),
            generator.choice([0.0, 60.0, round(generator.uniform(0, 60), 3)]),
            *generator.choice([(390.0, 844.0), (844.0, 390.0), (1024.0, 1366.0)]),
        )


def text(value):
    return "" if value is None else repr(float(value))


def main():
    generator = random.Random(20261129)
    head = ["center_latitude", "center_longitude", "zoom", "bearing", "pitch", "width", "height"]
    projected, unprojected = [], []
    for camera in cameras(generator):
        width, height = camera[5:]
        for _ in range(3):
            x = round(generator.uniform(-0.5, 1.5) * width, 2)
            y = round(generator.uniform(-0.5, 1.5) * height, 2)
            found = unproject(camera, x, y)
            unprojected.append([*camera, x, y, *(map(text, found) if found else ["", ""])])
            if found and abs(found[0]) < 89.9:
                latitude, longitude = float(found[0]), float(found[1])
                point = project(camera, latitude, longitude)
                projected.append([*camera, latitude, longitude, *map(text, point)])
        # Somewhere in the world, often behind a tilted camera.
        latitude, longitude = round(generator.uniform(-89, 89), 6), round(generator.uniform(-540, 540), 6)
        point = project(camera, latitude, longitude)
        projected.append([*camera, latitude, longitude, *(map(text, point) if point else ["", ""])])
        # Above the horizon of a tilted camera.
        above = height / 2 - height * 1.5 * (1 / tan(camera[4] * pi / 180) if camera[4] else inf)
        if above > -1e6:
            unprojected.append([*camera, width / 3, round(float(above) - 1, 2), "", ""])
            assert unproject(camera, width / 3, round(float(above) - 1, 2)) is None
        if len(unprojected) > 260:
            break
    for name, columns, rows in [
        ("projection_reference.csv", ["latitude", "longitude", "x", "y"], projected),
        ("unprojection_reference.csv", ["x", "y", "latitude", "longitude"], unprojected),
    ]:
        with open(name, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head + columns)
            writer.writerows(rows)


main()
