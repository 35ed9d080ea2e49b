"""A headless Chromium for the tests of the pages."""

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]

KEYS = {
    "right": Keys.ARROW_RIGHT, "left": Keys.ARROW_LEFT, "next": Keys.PAGE_DOWN, "previous": Keys.PAGE_UP,
    "home": Keys.HOME, "end": Keys.END, "space": Keys.SPACE, "escape": Keys.ESCAPE, "tab": Keys.TAB, "enter": Keys.ENTER,
}


class Browser:
    """One window. `wide` and `high` are CSS pixels, and `zoom` is the device scale factor."""

    def __init__(self, chromium, chromedriver):
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(chromedriver))

    def close(self):
        self.driver.quit()

    def look(self, wide=1280, high=860, zoom=1, scheme="light"):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": wide, "height": high, "deviceScaleFactor": zoom, "mobile": False})
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, path, position=""):
        """Opens a file from disk. The blank page between two files forces a new document for a new position."""
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(f"file://{path}" + (f"#{position}" if position else ""))
        self.wait("return document.querySelector('.where a, main.index, .no-steps:not([hidden])') !== null")

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def wait(self, code):
        return WebDriverWait(self.driver, 10, poll_frequency=0.02).until(lambda driver: driver.execute_script(code))

    def press(self, *names, shift=False):
        for name in names:
            actions = ActionChains(self.driver, duration=0)
            if shift:
                actions.key_down(Keys.SHIFT)
            actions.send_keys(KEYS.get(name, name))
            if shift:
                actions.key_up(Keys.SHIFT)
            actions.perform()

    def step(self):
        """The number of the step that the state panel shows."""
        return int(self.script("return document.querySelector('.where a').textContent.split(' ')[1]"))

    def steps(self):
        return int(self.script("return document.querySelector('.counter').textContent.split('/')[1]"))

    def position(self):
        """The position in the address, which follows the step after a moment."""
        own = self.script("return document.querySelector('.where a').getAttribute('href')")
        self.wait(f"return decodeURIComponent(location.hash) === {own!r}")
        return own[1:]

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def problems(self):
        """Messages of the console, which include blocked content."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def picture(self, path):
        self.driver.save_screenshot(str(path))
