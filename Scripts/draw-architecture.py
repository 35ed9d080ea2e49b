"""Prints the diagram of the README as SVG: python3 Scripts/draw-architecture.py > FILE

The picture adapts to light and dark pages. Its title and description are the text alternative.
"""

WIDTH, HEIGHT = 900, 330

# name, description lines, x, y, width, height
BOXES = [
    ("Views", ["main thread"], 20, 40, 150, 270),
    ("EventBus", ["a topic per event type,", "built on Dispatch"], 350, 40, 180, 90),
    ("IFImage", ["the model: one picture", "and its state"], 350, 220, 180, 90),
    ("Strategy", ["blocking, dataTask,", "downloadTask, async"], 670, 220, 210, 90),
    ("Origin", ["the server"], 670, 40, 210, 90),
]

# text, start, end, position of the text, anchor of the text
ARROWS = [
    ("subscribe on appear", (170, 60), (350, 60), (260, 54), "middle"),
    ("cancel on disappear", (170, 88), (350, 88), (260, 82), "middle"),
    ("deliver ImageFetched", (350, 116), (170, 116), (260, 110), "middle"),
    ("read image", (170, 265), (350, 265), (260, 259), "middle"),
    ("post ImageFetched", (440, 220), (440, 130), (432, 172), "end"),
    ("or ImageFetchFailed", None, None, (432, 188), "end"),
    ("fetch", (530, 248), (670, 248), (600, 242), "middle"),
    ("bytes or error", (670, 284), (530, 284), (600, 278), "middle"),
    ("GET", (740, 220), (740, 130), (732, 180), "end"),
    ("response", (800, 130), (800, 220), (808, 180), "start"),
]

DESCRIPTION = (
    "A view subscribes to events on the bus when it appears and cancels when it disappears. It reads an image from the model. "
    "The model fetches with the selected strategy, which sends a request to the origin. When the bytes or an error arrive, the model posts "
    "ImageFetched or ImageFetchFailed on the bus, and the bus delivers the event to the views on the main thread."
)

STYLE = """
  text { font-family: system-ui, sans-serif; font-size: 13px; fill: #1f2328 }
  .name { font-weight: 600; font-size: 16px }
  .code { font-family: ui-monospace, monospace; font-size: 12px }
  rect { fill: #f6f8fa; stroke: #57606a; stroke-width: 1.5 }
  rect.bus { fill: #ddf4ff; stroke: #0969da }
  line { stroke: #57606a; stroke-width: 1.5 }
  path { fill: #57606a }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    rect { fill: #161b22; stroke: #8d96a0 }
    rect.bus { fill: #121d2f; stroke: #4493f8 }
    line { stroke: #8d96a0 }
    path { fill: #8d96a0 }
  }
"""


def box(name, lines, x, y, width, height):
    middle, top = x + width / 2, y + height / 2 - 9 * len(lines) + 5
    kind = ' class="bus"' if name == "EventBus" else ""
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8"{kind}/>'
    yield f'<text class="name" x="{middle:g}" y="{top:g}" text-anchor="middle">{name}</text>'
    for number, line in enumerate(lines):
        yield f'<text x="{middle:g}" y="{top + 20 + 17 * number:g}" text-anchor="middle">{line}</text>'


def arrow(text, start, end, position, anchor):
    if start:
        yield f'<line x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}" marker-end="url(#tip)"/>'
    yield f'<text class="code" x="{position[0]}" y="{position[1]}" text-anchor="{anchor}">{text}</text>'


print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title description">')
print('<title id="title">View, event bus, model, strategy and origin</title>')
print(f'<desc id="description">{DESCRIPTION}</desc>')
print(f"<style>{STYLE}</style>")
print('<marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse">')
print('<path d="M0,1 L10,5 L0,9 z"/></marker>')
for shape in [*(line for b in BOXES for line in box(*b)), *(line for a in ARROWS for line in arrow(*a))]:
    print(shape)
print("</svg>")
