#!/usr/bin/env python3
"""Draws the pictures of the demo, so that their origin is clear: no picture is photographed or copied.

    python3 -m pip install pillow numpy
    python3 Scripts/draw-pictures.py [--output DIR]

Each picture has a separate seed, so a change of one does not affect the others. Other versions of Pillow's encoders can
produce other bytes, but the drawing is the same.
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

DEFAULT_OUTPUT = Path(__file__).resolve().parent.parent / "Sources/FetcherApp/Resources/pictures"
SMALLEST, LARGEST = 5 * 1024, 400 * 1024
OVERSAMPLING = 2  # drawing larger shapes and scaling them down smooths their edges


# Color and noise


def rgb(text):
    return np.array([int(text[i : i + 2], 16) / 255 for i in (0, 2, 4)])


def blend(under, over, amount):
    """`amount` is a number or a mask with the height and width of the picture."""
    amount = np.asarray(amount, dtype=float)
    if amount.ndim == 2:
        amount = amount[..., None]
    return under * (1 - amount) + over * amount


def smooth(low, high, value):
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def ramp(position, stops):
    """Colors for positions from 0 to 1, from a list of (position, "rrggbb")."""
    places = [place for place, _ in stops]
    colors = np.array([rgb(color) for _, color in stops])
    return np.stack([np.interp(position, places, colors[:, channel]) for channel in range(3)], axis=-1)


def enlarge(grid, width, height):
    return np.asarray(Image.fromarray(grid.astype(np.float32)).resize((width, height), Image.Resampling.BICUBIC))


def clouds(random, width, height, cell, octaves=5, stretch=1.0):
    """Soft noise from 0 to 1. A `stretch` above 1 widens it horizontally."""
    total, weight, sum_of_weights = np.zeros((height, width)), 1.0, 0.0
    for octave in range(octaves):
        size = cell / 2**octave
        columns, rows = max(2, round(width / (size * stretch))) + 1, max(2, round(height / size)) + 1
        total += weight * enlarge(random.random((rows, columns)), width, height)
        sum_of_weights += weight
        weight *= 0.5
    return np.clip(total / sum_of_weights, 0, 1)


def ridge(random, width, base, height, cell, octaves=6, roughness=0.5):
    """The skyline of a mountain range: one y per column."""
    x, line, weight = np.arange(width), np.zeros(width), 1.0
    for octave in range(octaves):
        step = max(2.0, cell / 2**octave)
        points = random.random(int(width / step) + 3) - 0.5
        line += weight * np.interp(x / step + random.random(), np.arange(len(points)), points)
        weight *= roughness
    return base - height * line


class Canvas:
    """An unfinished picture: oversampled colors from 0 to 1, and coordinates as fractions of its height."""

    def __init__(self, seed, width, height):
        self.random = np.random.default_rng(seed)
        self.size = (width, height)
        self.width, self.height = width * OVERSAMPLING, height * OVERSAMPLING
        rows, columns = np.mgrid[0 : self.height, 0 : self.width]
        self.x, self.y = columns / self.height, rows / self.height
        self.aspect = self.width / self.height
        self.pixels = np.zeros((self.height, self.width, 3))

    def sky(self, stops):
        self.pixels = ramp(self.y, stops)

    def paint(self, color, amount):
        self.pixels = blend(self.pixels, rgb(color) if isinstance(color, str) else color, amount)

    def glow(self, x, y, radius, color, strength):
        distance = np.hypot(self.x - x, self.y - y)
        light = strength * np.exp(-((distance / radius) ** 1.3))
        self.pixels = 1 - (1 - self.pixels) * (1 - rgb(color) * np.clip(light, 0, 1)[..., None])

    def disc(self, x, y, radius, color, edge=0.002):
        self.paint(color, 1 - smooth(radius - edge, radius + edge, np.hypot(self.x - x, self.y - y)))

    def below(self, line):
        """The mask below a skyline in fractions of the height."""
        edge = 1 / self.height
        return smooth(-edge, edge, self.y - np.asarray(line)[None, :])

    def shape(self, draw):
        """The mask of the shapes that `draw` draws. Its arguments are a drawing and a function from fractions to pixels."""
        mask = Image.new("L", (self.width, self.height), 0)
        draw(ImageDraw.Draw(mask), lambda *points: [(x * self.height, y * self.height) for x, y in points])
        return np.asarray(mask) / 255

    def stars(self, count, horizon, brightest=1.0):
        stars = np.zeros((self.height, self.width))
        for _ in range(count):
            x, y = self.random.random() * self.aspect, self.random.random() ** 1.2 * horizon
            size = 0.0006 + 0.0022 * self.random.random() ** 7
            column, row, reach = int(x * self.height), int(y * self.height), int(size * self.height * 4) + 2
            rows, columns = slice(max(0, row - reach), row + reach), slice(max(0, column - reach), column + reach)
            distance = np.hypot(self.x[rows, columns] - x, self.y[rows, columns] - y)
            light = brightest * (0.35 + 0.65 * self.random.random()) * np.exp(-((distance / size) ** 2))
            stars[rows, columns] = np.maximum(stars[rows, columns], light)
        self.paint("fdf8ee", stars)

    def image(self, grain=0.0):
        pixels = Image.fromarray((np.clip(self.pixels, 0, 1) * 255).astype(np.uint8))
        picture = pixels.resize(self.size, Image.Resampling.LANCZOS)
        if grain == 0:
            return picture
        noise = self.random.normal(0, grain * 255, (self.size[1], self.size[0], 1))
        return Image.fromarray(np.clip(np.asarray(picture) + noise, 0, 255).astype(np.uint8))


def birds(canvas, places, color):
    def draw(drawing, at):
        for x, y, size in places:
            for side in (-1, 1):
                wing = [
                    (x + side * size * t, y - size * 0.45 * math.sin(t * math.pi * 0.8)) for t in np.linspace(0, 1, 12)
                ]
                drawing.line(at(*wing), fill=255, width=max(2, int(size * canvas.height * 0.09)), joint="curve")

    canvas.paint(color, canvas.shape(draw))


def sea(canvas, horizon, stops, light_x, light, reach, strength):
    """Water below the horizon, with the reflection of a light."""
    depth = np.clip((canvas.y - horizon) / (1 - horizon), 0, 1)
    water = ramp(depth, stops)
    # Waves look smaller toward the horizon, so the distance between noise samples grows there.
    distance = 1 / (depth + 0.045)
    phase = clouds(canvas.random, canvas.width, canvas.height, canvas.height / 5, 4, 3) * 9
    waves = (
        np.sin(distance * 26 + phase * 3 + canvas.x * 5) * 0.5 + np.sin(distance * 61 - phase * 5 - canvas.x * 11) * 0.5
    )
    water = water * (1 + 0.10 * waves[..., None] * np.clip(depth * 6, 0, 1)[..., None])
    path = np.exp(-(((canvas.x - light_x) / (reach * (0.35 + depth))) ** 2))
    glitter = smooth(0.15, 0.75, waves + 0.9 * path - 0.25) * path * (1 - 0.55 * depth)
    water = blend(water, rgb(light), np.clip(strength * glitter + 0.22 * path * (1 - depth), 0, 1))
    canvas.paint(water, smooth(-1 / canvas.height, 1 / canvas.height, canvas.y - horizon))


# The pictures


def sunset_over_the_sea():
    canvas = Canvas(10, 1200, 800)
    canvas.sky([(0, "1f2a5c"), (0.2, "5a3f7e"), (0.36, "b9547a"), (0.48, "f0805a"), (0.58, "fcc067"), (0.62, "ffe3a0")])
    wisps = clouds(canvas.random, canvas.width, canvas.height, canvas.height / 4, 6, 5)
    high = smooth(0.50, 0.74, wisps) * smooth(0.62, 0.3, canvas.y)
    canvas.paint(ramp(np.clip(canvas.y / 0.6, 0, 1), [(0, "7a5a96"), (0.5, "f08c86"), (1, "ffd9a0")]), 0.75 * high)
    canvas.glow(0.86, 0.56, 0.28, "ffb347", 0.8)
    canvas.disc(0.86, 0.56, 0.062, "fff3c9", 0.004)
    sea(canvas, 0.62, [(0, "f0a56c"), (0.15, "b96a78"), (0.5, "5a4379"), (1, "1c2350")], 0.86, "ffe9b0", 0.22, 0.95)
    headland = 0.62 - 0.10 * smooth(1.05, 1.5, canvas.x[0]) - 0.012 * ridge(canvas.random, canvas.width, 0, 1, 120)
    headland = np.where(canvas.x[0] > 1.03, np.minimum(headland, 0.622), 2)
    canvas.paint("3a2450", canvas.below(headland) * (canvas.y < 0.625))
    birds(canvas, [(0.42, 0.22, 0.022), (0.48, 0.25, 0.016), (0.53, 0.2, 0.018), (0.37, 0.28, 0.012)], "2c1f45")
    return canvas.image(0.012)


def mountains_at_dawn():
    canvas = Canvas(11, 640, 420)
    canvas.sky([(0, "6fa3d2"), (0.3, "a9c6e0"), (0.5, "f3d3c0"), (0.62, "fbe3c6")])
    canvas.glow(0.42, 0.42, 0.3, "ffe2b8", 0.7)
    layers = [
        ("c3b9cf", 0.46, 0.20, 0.50),
        ("9aa0c4", 0.55, 0.20, 0.42),
        ("6f80ad", 0.66, 0.18, 0.36),
        ("475f8c", 0.77, 0.16, 0.30),
        ("263f66", 0.88, 0.13, 0.24),
        ("12243f", 0.99, 0.10, 0.18),
    ]
    for number, (color, base, height, cell) in enumerate(layers):
        line = ridge(canvas.random, canvas.width, base, height, cell * canvas.height, 7, 0.48)
        mask = canvas.below(line)
        fog = smooth(0.02, 0.24, canvas.y - line[None, :]) * (0.62 - 0.1 * number)
        canvas.paint(blend(np.broadcast_to(rgb(color), canvas.pixels.shape), rgb("f0e4dc"), np.clip(fog, 0, 1)), mask)
    birds(canvas, [(1.05, 0.2, 0.024), (1.12, 0.23, 0.017), (1.18, 0.19, 0.02)], "3c4f73")
    return canvas.image(0.006)


def city_at_night():
    canvas = Canvas(12, 720, 480)
    canvas.sky([(0, "070b24"), (0.35, "1a1f4d"), (0.6, "4b2f6b"), (0.74, "b3567a")])
    canvas.stars(220, 0.45, 0.9)
    canvas.disc(1.2, 0.17, 0.052, "f7efd8")
    canvas.glow(1.2, 0.17, 0.13, "cfc6e8", 0.4)
    shore = 0.76
    for depth, (color, low, high) in enumerate(
        [("3a2b5e", 0.16, 0.30), ("221d47", 0.14, 0.42), ("0e1030", 0.08, 0.30)]
    ):
        x = -0.02
        while x < canvas.aspect:
            width = 0.045 + 0.06 * canvas.random.random()
            top = shore - (low + (high - low) * canvas.random.random() ** 1.6)
            mask = (canvas.x >= x) & (canvas.x < x + width) & (canvas.y >= top) & (canvas.y < shore)
            canvas.paint(color, mask)
            if canvas.random.random() < 0.25:
                canvas.paint(
                    color, (abs(canvas.x - x - width / 2) < 0.0022) & (canvas.y > top - 0.06) & (canvas.y < shore)
                )
            if depth > 0:
                light_windows(canvas, x, top, width, shore, 0.30 + 0.15 * depth)
            x += width + 0.004 * canvas.random.integers(0, 3)
    reflect(canvas, shore)
    return canvas.image(0.0)


def light_windows(canvas, x, top, width, shore, share):
    step_x, step_y = 0.0125, 0.0185
    for column in range(int((width - 0.008) / step_x)):
        for row in range(int((shore - top - 0.02) / step_y)):
            if canvas.random.random() < share:
                left, upper = x + 0.007 + column * step_x, top + 0.012 + row * step_y
                color = ("ffd98a", "ffc36b", "fff0c4", "9fd0ff")[
                    int(canvas.random.choice(4, p=[0.45, 0.3, 0.17, 0.08]))
                ]
                block = np.s_[
                    int(upper * canvas.height) : int((upper + 0.0095) * canvas.height),
                    max(0, int(left * canvas.height)) : max(0, int((left + 0.0065) * canvas.height)),
                ]
                canvas.pixels[block] = rgb(color) * (0.65 + 0.35 * canvas.random.random())


def reflect(canvas, shore):
    """Mirrors the picture above the shore, distorted by the water."""
    first = int(shore * canvas.height)
    rows, columns = np.mgrid[first : canvas.height, 0 : canvas.width]
    depth = (rows - first) / (canvas.height - first)
    shake = np.sin(rows * 0.33 + np.sin(columns * 0.012) * 2) * (2 + 12 * depth)
    source_rows = np.clip(2 * first - rows - 1 - (rows - first), 0, first - 1)
    source_columns = np.clip(columns + shake, 0, canvas.width - 1).astype(int)
    mirrored = canvas.pixels[source_rows, source_columns]
    dark = np.broadcast_to(rgb("0a1033"), mirrored.shape)
    canvas.pixels[first:] = blend(mirrored, dark, 0.35 + 0.35 * depth)


def sunset_over_the_dunes():
    canvas = Canvas(13, 1600, 1000)
    canvas.sky([(0, "2b4a7f"), (0.22, "7d7fae"), (0.4, "e79a86"), (0.52, "fdbb6d"), (0.6, "fff0b8")])
    wisps = clouds(canvas.random, canvas.width, canvas.height, canvas.height / 5, 6, 4)
    canvas.paint("ffd2b0", 0.6 * smooth(0.52, 0.76, wisps) * smooth(0.6, 0.25, canvas.y))
    canvas.glow(0.52, 0.545, 0.3, "ffcf70", 0.85)
    canvas.disc(0.52, 0.535, 0.075, "fff8dc", 0.004)
    dunes = [
        ("d98f6a", 0.58, 0.03, 1.9, 0.3),
        ("c2714f", 0.66, 0.05, 1.4, 2.1),
        ("9c4f3d", 0.76, 0.06, 1.1, 4.4),
        ("6b3236", 0.90, 0.07, 0.9, 0.9),
    ]
    x = canvas.x[0]
    for number, (color, base, height, frequency, phase) in enumerate(dunes):
        wave = np.sin(x * frequency * math.pi + phase)
        line = base - height * (np.abs(wave) ** 1.4 * np.sign(wave)) - 0.008 * np.sin(x * 9 + phase)
        depth = canvas.y - line[None, :]
        ripples = np.sin((depth * 90 + np.sin(canvas.x * 7 + phase) * 1.6 + canvas.x * 12) * (2.4 - 0.4 * number))
        slope = np.gradient(line) * canvas.height
        lit = np.clip(0.5 - 1.1 * slope * np.tanh((0.52 - x) * 3), 0, 1)[None, :] * np.exp(-depth / 0.09)
        surface = rgb(color) * (1 + 0.05 * ripples[..., None] * smooth(0, 0.05, depth)[..., None])
        surface = blend(surface, rgb("ffd28c"), np.clip(0.75 * lit, 0, 1))
        surface = blend(surface, rgb("3b2030"), 0.5 * smooth(0.05, 0.4, depth))
        canvas.paint(surface, canvas.below(line))
    return canvas.image(0.014)


def waves():
    canvas = Canvas(14, 1280, 800)
    canvas.sky([(0, "fff4dc"), (0.4, "ffd9a8"), (1, "f7b58e")])
    colors = ["f9c784", "f4a261", "e76f51", "c8495b", "8f3a6b", "5a2f72", "2f2a63", "171d45"]
    x = canvas.x[0]
    for number, color in enumerate(colors):
        base = 0.16 + 0.105 * number
        phases = canvas.random.random(3) * 2 * math.pi
        line = (
            base
            + 0.055 * np.sin(x * 2.4 + phases[0])
            + 0.03 * np.sin(x * 4.7 + phases[1])
            + 0.01 * np.sin(x * 9 + phases[2])
        )
        depth = canvas.y - line[None, :]
        shadow = np.exp(-np.clip(-depth, 0, None) / 0.022) * (depth < 0)
        canvas.paint("2a1038", 0.30 * shadow)
        body = blend(
            np.broadcast_to(rgb(color), canvas.pixels.shape),
            rgb("ffffff"),
            0.28 * np.exp(-np.clip(depth, 0, None) / 0.03),
        )
        canvas.paint(body, canvas.below(line))
    return canvas.image(0.008)


def stars_over_the_pines():
    canvas = Canvas(15, 1200, 800)
    canvas.sky([(0, "050818"), (0.5, "0d1838"), (0.8, "25406b"), (0.95, "5f86a3")])
    across = (canvas.x * 0.62 + canvas.y - 0.98) / 0.26
    band = np.exp(-(across**2))
    dust = clouds(canvas.random, canvas.width, canvas.height, canvas.height / 3, 7)
    haze = clouds(canvas.random, canvas.width, canvas.height, canvas.height / 2, 6)
    canvas.paint(
        ramp(haze, [(0.25, "6a5a9c"), (0.5, "c9a6c8"), (0.75, "f3d5b5")]),
        np.clip(band * smooth(0.3, 0.8, haze) * 0.62, 0, 1),
    )
    canvas.paint("070a1c", np.clip(np.exp(-(((across + 0.1) / 0.45) ** 2)) * smooth(0.5, 0.72, dust) * 0.75, 0, 1))
    canvas.stars(2600, 0.97)
    line = ridge(canvas.random, canvas.width, 0.9, 0.06, 0.5 * canvas.height, 4)
    canvas.paint("060a14", canvas.below(line))
    places = np.arange(-0.02, canvas.aspect + 0.02, 0.026)
    places = places + canvas.random.normal(0, 0.008, len(places))

    def draw(drawing, at):
        for x in places:
            column = min(canvas.width - 1, max(0, int(x * canvas.height)))
            pine(drawing, at, canvas.random, x, float(line[column]) + 0.03)

    canvas.paint("04070f", canvas.shape(draw))
    return canvas.image(0.010)


def pine(drawing, at, random, x, foot, tall=None):
    tall = tall or 0.07 + 0.13 * random.random() ** 2
    tiers = 9
    for tier in range(tiers):
        top = foot - tall + tall * 0.95 * tier / tiers
        half = tall * (0.035 + 0.19 * (tier + 1) / tiers) * (0.85 + 0.3 * random.random())
        bottom = top + tall * 0.2
        drawing.polygon(
            at(
                (x, top),
                (x + half, bottom),
                (x + half * 0.3, bottom - tall * 0.03),
                (x - half * 0.3, bottom - tall * 0.03),
                (x - half, bottom),
            ),
            fill=255,
        )
    drawing.rectangle(at((x - tall * 0.02, foot - tall * 0.2), (x + tall * 0.02, foot + 0.1)), fill=255)


def lighthouse():
    canvas = Canvas(16, 900, 1200)
    canvas.sky([(0, "16224f"), (0.25, "3a4c86"), (0.45, "8a7fb0"), (0.58, "e0a3a6"), (0.66, "f8cfa8")])
    canvas.stars(160, 0.3, 0.8)
    wisps = clouds(canvas.random, canvas.width, canvas.height, canvas.height / 6, 6, 4)
    canvas.paint("f2b6b0", 0.5 * smooth(0.52, 0.75, wisps) * smooth(0.2, 0.5, canvas.y))
    sea(canvas, 0.66, [(0, "c99aa4"), (0.2, "7d7aa4"), (0.6, "3c4a7c"), (1, "17244c")], 0.2, "ffe2c4", 0.14, 0.6)
    lamp = (0.5, 0.262)
    angle = np.arctan2(canvas.y - lamp[1], canvas.x - lamp[0])
    away = np.hypot(canvas.x - lamp[0], canvas.y - lamp[1])
    for direction, width in ((math.pi + 0.16, 0.085), (0.14, 0.085)):
        turn = np.angle(np.exp(1j * (angle - direction)))
        canvas.paint("fff1c0", 0.75 * np.exp(-((turn / width) ** 2)) * np.exp(-away / 0.45))
    rock = (
        0.80 - 0.13 * np.exp(-(((canvas.x[0] - 0.5) / 0.2) ** 2)) + 0.08 * np.clip(abs(canvas.x[0] - 0.5) - 0.1, 0, 1)
    )
    rock = rock - 0.03 * ridge(canvas.random, canvas.width, 0, 1, 0.12 * canvas.height, 6, 0.6)
    grain = clouds(canvas.random, canvas.width, canvas.height, canvas.height / 22, 6, 0.7)
    stone = ramp(
        np.clip(grain + 0.25 * (rock[None, :] + 0.1 - canvas.y), 0, 1),
        [(0.3, "0d1024"), (0.55, "1f2139"), (0.85, "4a4258")],
    )
    draw_tower(canvas)
    canvas.paint(stone, canvas.below(rock))
    canvas.glow(*lamp, 0.07, "fff0b0", 1.0)
    return canvas.image(0.012)


def draw_tower(canvas):
    top, foot, middle = 0.30, 0.72, 0.5
    share = np.clip((canvas.y - top) / (foot - top), 0, 1)
    half = 0.033 + 0.024 * share
    side = (canvas.x - middle) / half
    inside = (abs(side) < 1) & (canvas.y > top) & (canvas.y < foot)
    stripe = smooth(-0.02, 0.02, np.sin(share * math.pi * 5 + 0.001))
    color = blend(np.broadcast_to(rgb("f3ede6"), canvas.pixels.shape), rgb("c23b3b"), stripe)
    shade = np.clip(0.98 - 0.42 * smooth(-0.4, 1.0, side) - 0.12 * smooth(-0.5, -1.0, side), 0, 1)
    canvas.paint(color * shade[..., None], inside)
    dark = "26283f"
    canvas.paint(
        dark,
        canvas.shape(
            lambda d, at: (
                d.rectangle(at((middle - 0.052, top - 0.004), (middle + 0.052, top + 0.008)), fill=255),
                d.polygon(at((middle - 0.036, 0.238), (middle, 0.200), (middle + 0.036, 0.238)), fill=255),
                d.rectangle(at((middle - 0.0025, 0.180), (middle + 0.0025, 0.205)), fill=255),
                [
                    d.rectangle(at((x - 0.0012, top - 0.024), (x + 0.0012, top)), fill=255)
                    for x in np.linspace(middle - 0.049, middle + 0.049, 9)
                ],
                d.rectangle(at((middle - 0.05, top - 0.026), (middle + 0.05, top - 0.023)), fill=255),
            )
        ),
    )
    canvas.paint(
        "fff2c2",
        canvas.shape(lambda d, at: d.rectangle(at((middle - 0.024, 0.239), (middle + 0.024, top - 0.005)), fill=255)),
    )
    canvas.paint(
        dark,
        canvas.shape(
            lambda d, at: [
                d.rectangle(at((x - 0.0015, 0.238), (x + 0.0015, top)), fill=255)
                for x in (middle - 0.024, middle, middle + 0.024)
            ]
        ),
    )
    canvas.paint(
        dark,
        canvas.shape(
            lambda d, at: [
                d.ellipse(at((middle - 0.008, y - 0.011), (middle + 0.008, y + 0.011)), fill=255) for y in (0.40, 0.55)
            ]
        ),
    )


def northern_lights():
    canvas = Canvas(17, 1400, 900)
    canvas.sky([(0, "030a1d"), (0.5, "0a2440"), (0.75, "164a5c")])
    canvas.stars(700, 0.7, 0.9)
    curtains = [
        (0.50, 0.09, 2.2, 0.4, "4dffb0", "6f5bd6", 0.34),
        (0.40, 0.07, 3.1, 2.7, "7dffce", "b05bd0", 0.26),
        (0.57, 0.05, 1.7, 5.0, "38e0a0", "3f7fd0", 0.20),
    ]
    for base, swing, frequency, phase, low, high, tall in curtains:
        x = canvas.x[0]
        foot = base + swing * np.sin(x * frequency + phase) + 0.025 * np.sin(x * frequency * 3.3 + phase)
        fringe = np.interp(np.arange(canvas.width), np.linspace(0, canvas.width, 260), canvas.random.random(260))
        rays = 0.45 + 0.55 * np.convolve(fringe, np.ones(9) / 9, "same")
        fold = 0.5 + 0.5 * np.sin(x * 4.1 + phase * 2) * np.sin(x * 1.7 + phase)
        up = (foot[None, :] - canvas.y) / (tall * (0.6 + 0.6 * rays))[None, :]
        light = np.where(up > 0, np.exp(-up * 2.2), np.exp(up * 26)) * (rays * (0.35 + 0.65 * fold))[None, :]
        color = ramp(np.clip(up, 0, 1), [(0, low), (0.35, low), (1, high)])
        canvas.pixels = 1 - (1 - canvas.pixels) * (1 - color * np.clip(light * 0.9, 0, 1)[..., None])
    shore = 0.74
    for color, base, height, cell in (("0d2b3d", 0.715, 0.15, 0.4), ("06141f", 0.745, 0.09, 0.22)):
        line = ridge(canvas.random, canvas.width, base, height, cell * canvas.height, 6)
        canvas.paint(color, canvas.below(line) * (canvas.y < shore))
    reflect(canvas, shore)
    return canvas.image(0.008)


def balloons():
    canvas = Canvas(18, 480, 360)
    canvas.sky([(0, "4aa3df"), (0.6, "a8dcf0"), (1, "f7f3dc")])
    puffs = [(0.2, 0.3), (0.95, 0.18), (1.12, 0.62), (0.45, 0.72)]
    for x, y in puffs:
        for step in range(7):
            canvas.disc(x + (step - 3) * 0.035, y + 0.014 * abs(step - 3), 0.042 - 0.006 * abs(step - 3), "ffffff")
    for x, y, radius, first, second in (
        (0.72, 0.36, 0.20, "e63946", "ffe8a3"),
        (0.27, 0.55, 0.125, "3a5ba0", "9bd1e5"),
        (1.10, 0.40, 0.095, "f4a23b", "7b3fa0"),
    ):
        balloon(canvas, x, y, radius, first, second)
    x = canvas.x[0]
    for color, line in (
        ("8cc084", 0.88 - 0.03 * np.sin(x * 4)),
        ("5aa469", 0.93 - 0.035 * np.sin(x * 3 + 2)),
        ("33805a", 0.985 - 0.03 * np.sin(x * 5 + 4)),
    ):
        canvas.paint(color, canvas.below(line))
    return canvas.image()


def balloon(canvas, x, y, radius, first, second):
    down = (canvas.y - y) / radius
    across = (canvas.x - x) / radius
    half = np.where(
        down < 0, np.sqrt(np.clip(1 - down**2, 0, 1)), np.sqrt(np.clip(1 - (down / 1.32) ** 2, 0, 1)) ** 1.12
    )
    inside = (abs(across) < half) & (down > -1) & (down < 1.22)
    gore = np.arcsin(np.clip(across / np.maximum(half, 1e-6), -1, 1)) / math.pi * 8
    color = np.where((np.floor(gore + 0.5).astype(int) % 2 == 0)[..., None], rgb(first), rgb(second))
    shade = 1 - 0.28 * smooth(-0.2, 1.1, across)
    canvas.paint(color * shade[..., None], inside)
    canvas.paint(
        "6b4a2f",
        canvas.shape(
            lambda d, at: (
                d.rectangle(
                    at((x - radius * 0.16, y + radius * 1.55), (x + radius * 0.16, y + radius * 1.78)), fill=255
                ),
                [
                    d.line(
                        at((x + s * radius * 0.36, y + radius * 1.2), (x + s * radius * 0.14, y + radius * 1.56)),
                        fill=255,
                        width=3,
                    )
                    for s in (-1, 1)
                ],
            )
        ),
    )


def forest_in_the_mist():
    canvas = Canvas(19, 1000, 1000)
    canvas.sky([(0, "dfe9e4"), (0.5, "c5d8d2"), (1, "9ab8b0")])
    canvas.glow(0.68, 0.2, 0.28, "fff3d0", 0.9)
    for number, color in enumerate(["a9c2bb", "86a8a0", "5f877f", "3b645d", "1f4440", "0c2726"]):
        foot, step = 0.44 + 0.125 * number, 0.030 + 0.011 * number
        line = ridge(canvas.random, canvas.width, foot, 0.05, 0.4 * canvas.height, 3)
        places = np.arange(-0.05, canvas.aspect + 0.05, step)
        places = places + canvas.random.normal(0, step * 0.35, len(places))
        scale = 0.10 + 0.045 * number

        def draw(drawing, at):
            for x in places:
                column = min(canvas.width - 1, max(0, int(x * canvas.height)))
                pine(
                    drawing,
                    at,
                    canvas.random,
                    x,
                    float(line[column]) + 0.02,
                    scale * (0.7 + 0.8 * canvas.random.random()),
                )

        mask = np.maximum(canvas.shape(draw), canvas.below(line))
        canvas.paint(color, mask)
        mist = clouds(canvas.random, canvas.width, canvas.height, canvas.height / 3, 4, 3)
        rising = np.exp(-(((canvas.y - foot - 0.06) / 0.075) ** 2))
        canvas.paint("e6efea", np.clip(rising * smooth(0.25, 0.75, mist) * (0.85 - 0.1 * number), 0, 1))
    return canvas.image(0.006)


def moon_over_the_lake():
    canvas = Canvas(20, 200, 150)
    canvas.sky([(0, "0b1033"), (0.6, "2c3f7a"), (0.7, "6277ad")])
    canvas.stars(60, 0.5, 0.9)
    canvas.glow(0.88, 0.28, 0.2, "b9c6f0", 0.45)
    canvas.disc(0.88, 0.28, 0.105, "f6f0da")
    for x, y, radius in ((0.85, 0.25, 0.02), (0.91, 0.31, 0.028), (0.89, 0.22, 0.013), (0.83, 0.31, 0.012)):
        canvas.disc(x, y, radius, "dcd5bf")
    for color, base, height in (("26356a", 0.62, 0.16), ("141d45", 0.67, 0.10)):
        canvas.paint(
            color,
            canvas.below(ridge(canvas.random, canvas.width, base, height, 0.35 * canvas.height, 5)) * (canvas.y < 0.7),
        )
    reflect(canvas, 0.7)
    return canvas.image()


def pebbles():
    canvas = Canvas(21, 360, 360)
    canvas.sky([(0, "20505e"), (1, "12323f")])
    colors = ["e8dcc8", "c9b79c", "9fb4b8", "7c9299", "d9a48a", "f2ede2", "5f7a80", "b7c9c2"]
    placed = []
    for _ in range(3000):
        radius = 0.025 + 0.075 * canvas.random.random() ** 2
        x, y = canvas.random.random(2)
        if all(math.hypot(x - a, y - b) > radius + r + 0.006 for a, b, r in placed):
            placed.append((x, y, radius))
    for x, y, radius in placed:
        canvas.disc(x + radius * 0.12, y + radius * 0.16, radius, "0c2530", 0.008)
        color = rgb(colors[int(canvas.random.integers(len(colors)))])
        light = 1.08 - 0.45 * smooth(-0.4, 1.2, ((canvas.x - x) + (canvas.y - y)) / (1.4 * radius))
        canvas.paint(
            np.clip(color * light[..., None], 0, 1),
            1 - smooth(radius - 0.004, radius, np.hypot(canvas.x - x, canvas.y - y)),
        )
        bands = np.exp(
            -((((canvas.x - x) * math.cos(x * 40) + (canvas.y - y) * math.sin(x * 40)) / (0.12 * radius)) ** 2)
        )
        inside = np.hypot(canvas.x - x, canvas.y - y) < radius - 0.002
        canvas.paint("fbf7ee", 0.35 * bands * inside)
    return canvas.image()


def photo_album():
    """The placeholder during a fetch: two prints on a page, in unobtrusive colors."""
    canvas = Canvas(1, 480, 360)
    canvas.sky([(0, "eef0f3"), (1, "dfe3e8")])
    for angle, colors in ((-9, ("c9d0d8", "b4bdc8")), (5, ("d5dbe2", "aab4c0"))):
        turn = math.radians(angle)
        u = (canvas.x - 0.667) * math.cos(turn) + (canvas.y - 0.5) * math.sin(turn)
        v = -(canvas.x - 0.667) * math.sin(turn) + (canvas.y - 0.5) * math.cos(turn)
        canvas.paint("8d97a3", 0.5 * np.exp(-np.clip(np.maximum(abs(u) - 0.40, abs(v) - 0.30), 0, None) / 0.02))
        canvas.paint("ffffff", (abs(u) < 0.41) & (abs(v) < 0.31))
        inside = (abs(u) < 0.375) & (abs(v) < 0.275)
        canvas.paint(
            blend(np.broadcast_to(rgb("eaf0f6"), canvas.pixels.shape), rgb(colors[0]), smooth(-0.3, 0.3, v)), inside
        )
        canvas.paint("fbfcfd", inside * (1 - smooth(0.05, 0.054, np.hypot(u - 0.19, v + 0.13))))
        canvas.paint(
            colors[1], inside * smooth(-0.002, 0.002, v - (0.10 - 0.20 * np.clip(1 - abs(u - 0.10) / 0.26, 0, 1)))
        )
        canvas.paint(
            np.array(rgb(colors[1])) * 0.93,
            inside * smooth(-0.002, 0.002, v - (0.14 - 0.26 * np.clip(1 - abs(u + 0.13) / 0.28, 0, 1))),
        )
    return canvas.image()


# (id, title, file, drawing, save options)
PICTURES = [
    (10, "Sunset over the sea", "sunset-10.jpeg", sunset_over_the_sea, {"quality": 86}),
    (11, "Mountains at dawn", "mountains-11.png", mountains_at_dawn, {"optimize": True}),
    (12, "City at night", "city-12.png", city_at_night, {"optimize": True}),
    (13, "Sunset over the dunes", "sunset-13.jpeg", sunset_over_the_dunes, {"quality": 90}),
    (14, "Waves", "waves-14.webp", waves, {"quality": 82, "method": 6}),
    (15, "Stars over the pines", "stars-15.jpeg", stars_over_the_pines, {"quality": 84}),
    (16, "The lighthouse", "lighthouse-16.jpeg", lighthouse, {"quality": 85, "progressive": True}),
    (17, "Northern lights", "aurora-17.webp", northern_lights, {"quality": 80, "method": 6}),
    (18, "Balloons", "balloons-18.gif", balloons, {"colors": 96}),
    (19, "Forest in the mist", "forest-19.webp", forest_in_the_mist, {"quality": 70, "method": 6}),
    (20, "Moon over the lake", "moon-20.gif", moon_over_the_lake, {"colors": 64}),
    (21, "Pebbles", "pebbles-21.png", pebbles, {"colors": 128, "optimize": True}),
]
PLACEHOLDER = ("photoalbum.png", photo_album, {"colors": 64, "optimize": True})


def save(image, path, options):
    options = dict(options)
    colors = options.pop("colors", None)
    if colors is not None:
        # No dithering, so that flat areas stay flat and the file stays small.
        image = image.quantize(colors, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    image.save(path, **options)
    size = path.stat().st_size
    if not SMALLEST <= size <= LARGEST:
        raise SystemExit(f"{path.name}: {size} bytes, wanted {SMALLEST} to {LARGEST}")
    print(f"{path.name:20} {image.width:5} x {image.height:<5} {size:8} bytes")


def main():
    parser = argparse.ArgumentParser(description="Draws the demo's pictures and their list.")
    parser.add_argument(
        "--output", type=Path, default=DEFAULT_OUTPUT, help="the folder to write to (default: the app's pictures)"
    )
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    for _, _, file, draw, options in PICTURES:
        save(draw(), output / file, options)
    file, draw, options = PLACEHOLDER
    save(draw(), output / file, options)
    slides = [{"id": number, "title": title, "file": file} for number, title, file, _, _ in PICTURES]
    catalog = {"title": "Holiday Slideshow", "slides": slides}
    (output / "holidayslideshow.json").write_text(json.dumps(catalog, indent=2) + "\n")
    print(f"holidayslideshow.json lists {len(slides)} slides")


if __name__ == "__main__":
    main()
