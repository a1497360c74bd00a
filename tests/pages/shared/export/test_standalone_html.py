"""The common form of exported HTML files."""

from pages.shared.export.standalone_html import js_module
from pages.shared.player import assets

SCRIPT = """// What it does.
export default function () {
  /** Two lines
   * of a comment. @type {number} */
  const half = 1 / 2; // stays: it shares its line
  return `a /* b */ ${half}`;
}
"""


def test_an_exported_script_has_no_comments_with_lines_of_their_own():
    assert js_module("mount", SCRIPT) == (
        "const mount = (() => {\nlet exported;\nexported = function () {\n"
        "  const half = 1 / 2; // stays: it shares its line\n"
        "  return `a /* b */ ${half}`;\n}\n\nreturn exported;\n})();\n"
    )


def test_only_lines_of_comments_leave_a_script():
    kept = js_module("mount", assets.JS).splitlines()
    left_out = set(assets.JS.splitlines()) - set(kept)
    assert all(line.lstrip().startswith(("//", "/*", "*", "export default")) for line in left_out)
    assert sum(map(len, kept)) < 0.9 * len(assets.JS)
