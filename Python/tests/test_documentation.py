"""The examples of the documents and of the package, with their output."""

import doctest
import pathlib
import re

import openhealthkit
import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["README.md", "Docs/Python.md"])
def test_examples(name: str) -> None:
    text = (ROOT / name).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks, name
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert results.attempted > 2 and results.failed == 0


def test_the_package_s_own_example() -> None:
    assert doctest.testmod(openhealthkit).failed == 0


def test_every_public_name_is_documented() -> None:
    for name in openhealthkit.__all__:
        value = getattr(openhealthkit, name)
        if name in ("Progress", "SampleType", "Unit"):
            continue
        assert value.__doc__, name
        for member, function in vars(value).items() if isinstance(value, type) else []:
            if callable(function) and not member.startswith("_"):
                assert function.__doc__, f"{name}.{member}"
