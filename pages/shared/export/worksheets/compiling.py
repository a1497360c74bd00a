"""Compile a Typst document from standard input to a PDF on standard output, in its own process.

Typst can read no files and no packages, only its own and the system's fonts. The process ends
after `SECONDS` of CPU time, even if its parent has died. Errors are written to standard error.
"""

import sys
import tempfile

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None

SECONDS = 30
STANDARD = "a-2b"  # PDF/A-2b, which requires a glyph for every character


def main() -> None:
    """Compile the document and write the PDF."""
    import typst  # an optional package, see requirements-pdf.txt

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
