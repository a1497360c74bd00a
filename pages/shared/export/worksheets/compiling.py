"""Typst, in a process of its own: a document on standard input becomes a PDF on standard output.

It is given no file and no package, only fonts: its own, and those of the system. It ends by itself
after `SECONDS` of computing, even when nobody is left to end it. Why there is no PDF is said on
standard error.
"""

import sys
import tempfile

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None

SECONDS = 30
STANDARD = "a-2b"  # a PDF for the archive: every character must have a glyph in some font


def main() -> None:
    """Make the PDF, and write it."""
    import typst  # the optional package: see requirements-pdf.txt

    if resource:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        within = SECONDS if hard == resource.RLIM_INFINITY else min(SECONDS, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (within, hard))
    with tempfile.TemporaryDirectory() as nothing:
        compiler = typst.Compiler(sys.stdin.buffer.read(), root=nothing)
        try:
            made = compiler.compile(format="pdf", pdf_standards=STANDARD)
        except typst.TypstError as error:
            sys.exit(error.message)
    assert isinstance(made, bytes)
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main()
