"""What the README tells a reader to write runs, and prints what its comments say."""

import re
from pathlib import Path

import pytest

from lessons.claims import CLAIMS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
GUIDES = ("README.md", "CONTRIBUTING.md", "docs/architecture.md")


@pytest.mark.parametrize("block", BLOCKS)
def test_python_of_the_readme_prints_what_its_comments_say(
    block: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    said = re.findall(r"print\(.*\)(?:  |\n)# (.*)", block)
    assert len(said) == block.count("print(")
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out.splitlines() == said


def test_there_is_python_in_the_readme():
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize("guide", GUIDES)
def test_every_file_that_a_guide_names_is_there(guide: str):
    """A name with a slash is a path from the root; `<…>` stands for what the reader chooses."""
    text = (ROOT / guide).read_text(encoding="utf-8")
    quoted = re.findall(r"`([\w.<>-]+(?:/[\w.<>-]+)*/?)`", text)
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    paths = [name for name in quoted if "/" in name and "<" not in name and ":" not in name]
    missing = [name for name in paths if not (ROOT / name).exists()]
    missing += [link for link in links if not ((ROOT / guide).parent / link).exists()]
    assert paths
    assert missing == []


@pytest.mark.parametrize("guide", GUIDES)
def test_every_test_that_a_guide_names_is_there(guide: str):
    named = re.findall(r"\btest_\w+\.py\b", (ROOT / guide).read_text(encoding="utf-8"))
    there = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(named) <= there


def test_the_readme_counts_the_claims():
    assert f"recomputes {len(CLAIMS)} claims" in README
