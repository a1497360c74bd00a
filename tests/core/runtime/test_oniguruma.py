"""Patterns match as in Hugging Face's library; drawn ones are in tests/parity/test_patterns.py."""

import re
import time
from contextlib import suppress

import pytest

from tokenizers import limits
from tokenizers.errors import UserError
from tokenizers.runtime.normalizers import Replace
from tokenizers.runtime.oniguruma import MAX_NESTED, translate
from tokenizers.runtime.patterns import Pattern
from tokenizers.text.corpus import Pipeline

MATCHES = [
    ("(?m:.)", "a\nb", "###"),
    (".+", "a\r\n\u2028b", "#\n#"),
    ("\\N|\\O", "a\n", "##"),
    ("\\x{4E00}|\\u4e8c|\\o{141}|\\101|\\x42", "一二aAB", "#####"),
    ("[\\x{4E00}-\\x{9fff}]+", "一二a", "#a"),
    ("\\t|\\cA|\\C-b|\\e|\\0", "\t\x01\x02\x1b\x00", "#####"),
    ("[[:alpha:]]+", "abé1_", "#1_"),
    ("[[:^alpha:]]+", "abé1_", "abé#"),
    ("[^[:alpha:]]+", "abé1_", "abé#"),
    ("[[:upper:][:digit:]_]+", "aBC1_é", "a#é"),
    ("[[:punct:]]+", "a+!¢—", "a#"),
    ("\\p{punct}+", "a+!¢—", "a+#¢#"),
    ("[[:^upper:]&&[:alpha:]]+", "aBc1", "#B#1"),
    ("[a-z&&[^aeiou]]+", "hello", "#e#o"),
    ("[^a-z&&[^aeiou]]+", "hello A", "h#ll#"),
    ("[a&&]", "a&", "a&"),
    ("\\d{,2}|\\w{2,}", "1234abc", "##a#b#c#"),
    ("a{2,1}a", "aaa", "#"),
    ("a{2,1}", "aaaa", "##"),
    ("a{3}?", "aa", "#a#a#"),
    ("\\p{N}{1,3}+", "12345", "#"),
    ("a{,}|{|b{1", "a{,}{b{1", "###"),
    ("a**b", "aab", "#"),
    ("\\X", "កា្ខំé🇫🇷🇩🇪👨\u200d👩\u200d👧\r\n각", "########"),
    ("\\R", "a\r\nb\n\u2028", "a#b##"),
    ("\\h+|\\H", "g1f", "##"),
    ("^|$", "a\n", "#a#\n#"),
    ("\\Z|\\z", "a\n", "a#\n#"),
    ("\\bé|a\\B", "é a ²a ab", "# a ²a #b"),
    ("\\G\\d", "12a3", "##a3"),
    ("a\\Kb", "ab b", "a# b"),
    ("\\w+", "x²½ _‿", "# #"),
    ("[\\w]+", "x²½ _‿", "#²½ #"),
    ("[^\\s\\P{L}]+", "a1 é", "#1 #"),
    ("[^\\S\\s]", "a ", "a "),
    ("(?i)ß|x", "ss SS ß ẞ X", "# # # # #"),
    ("(?i)ss", "ß", "#"),
    ("(?i)fi", "ﬁ FI", "# #"),
    ("(?i)i", "iIıİ", "##ıİ"),
    ("(?i)\\p{Lu}", "aA", "a#"),
    ("(?i)[[:upper:]]+", "aAʇª", "#ª"),
    ("(?i)[k-sß]+", "K ſſ", "# #"),
    ("(?i)[^a-z]", "aAſ!", "aAſ#"),
    ("a(?i)b|c", "aB aC C", "# # C"),
    ("(?:a(?i)b|c)d", "aBd Cd aCd", "# Cd #"),
    ("(?i:a)b", "Ab AB", "# AB"),
    ("(?x) a b # c\n {2} \\ ", "abb ab ", "#ab "),
    ("a(?#b{)c", "ac", "#"),
    ("(a|b)\\1", "aaab", "#ab"),
    ("(?<n>a|b)(c)\\k<n>", "acaaca", "##"),
    ("(a)(b)\\k<-1>", "abb", "#"),
    ("(?<=a|bc)d", "adbcd", "a#bc#"),
    ("(?<=a+)b", "aab", "aa#"),
    ("(?>a+)ab|aa", "aaab", "#ab"),
    ("[]a]+", "]a", "#"),
    ("[a-c-e]+", "abcd-e", "#d#"),
    ("[--/]+", "-./,", "#,"),
    ("[\\b\\]\\-]+", "\x08]-", "#"),
    ("\\Qa|\\`", "Qa`", "##"),
    ("a*", "", ""),  # there are no matches in an empty text
]
"""Patterns, texts, and what the library's `Replace` makes of a text by putting # for a match."""


def replaced(source: str, text: str) -> str:
    return Replace(Pattern(source), "#")(Pipeline((), "none")(text).aligned).text


@pytest.mark.parametrize(("source", "text", "expected"), MATCHES)
def test_matches(source, text, expected):
    assert replaced(source, text) == expected


def test_an_empty_string_matches_around_every_character():
    assert Pattern("", literal=True).spans("ab") == [(0, 0), (1, 1), (2, 2)]


REFUSED = [
    (r"(?~ab)", "an absence operator, (?~…), is not supported here"),
    (r"(a)(?(1)b|c)", "a condition, (?(…)…), is not supported"),
    (r"(a)\g<1>", "a call of a group, \\g<…>, is not supported"),
    (r"(?{x})", "a callout, (?{…}), is not supported"),
    (r"a\yb", "a boundary of text segments, \\y, is not supported"),
    (r"(?<a>x)(?<a>y)\k<a>", "two groups have the name “a”"),
    (r"(?s).", "“(?s” is no group"),
    (r"(?P<n>a)", "“(?P” is no group"),
    (r"(?<=a\Kb)", "\\K in a look-behind is not supported"),
    (r"(?<=(?=a))b", "a look-behind cannot hold a look-ahead"),
    (r"[a-[b]]", "a range that ends with a class"),
    (r"[\d-z]", "a range that begins with a class"),
    (r"[z-a]", "“z-a” is an empty range"),
    (r"[[:foo:]]", "“[:foo:]” is no POSIX class"),
    (r"\p{Foo}", "“p{Foo}” is a property that is not known"),
    (r"\p{Script=Greek}", "“p{Script=Greek}” is no property"),
    (r"\xE9", "no code of a character follows \\x"),
    (r"\377", "\\377 is a byte"),
    (r"\x{110000}", "U+110000 is no character"),
    (r"\x{D800}", "U+D800 is no character"),
    (r"(a)\2", "there is no group 2"),
    (r"(?<n>a)(b)\1", "though groups have names"),
    (r"\k<n>", "no group before it has the name “n”"),
    (r"*a", "nothing is before “*”"),
    (r"(?m){2}", "nothing is before “{2}”"),
    (r"\b+", "“+” repeats what has no length"),
    (r"a{100001}", "more than 100,000 times"),
    (r"(?:a{200}){200}", "repeats too much"),
    (r"\X" * 3_000, "it is too long"),
    (r"(a", "a group does not end"),
    (r"a)", "a “)” closes no group"),
    (r"[a", "it ends too early"),
    (r"[]", "a class is empty"),
    (r"a\\"[:-1], "it ends too early"),
    (r"(?#a", "a comment, (?#…), does not end"),
    ("(" * (MAX_NESTED + 1), "groups or classes are within each other"),
    ("[" * (MAX_NESTED + 1), "groups or classes are within each other"),
]


@pytest.mark.parametrize(("source", "message"), REFUSED)
def test_what_has_no_equal_is_refused_by_its_name(source, message):
    with pytest.raises(UserError, match=re.escape(message)) as error:
        Pattern(source)
    assert str(error.value).startswith("the pattern “")


@pytest.mark.parametrize("part", ["(?:a|[b", "a{1}", r"\p{L}", "[^a&&", r"\x{", "(?i)", "((", "#"])
def test_long_patterns_are_translated_or_refused_at_once(part):
    start = time.process_time()
    with suppress(UserError):
        translate(part * (20_000 // len(part)))
    assert time.process_time() - start < 2


def test_many_classes_without_case_have_a_time_limit(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.05)
    classes = "".join(f"[a{chr(0x4E00 + n)}]" for n in range(4_000))
    with limits.time_limit(""), pytest.raises(UserError, match="long"):
        translate(f"(?i){classes}")
