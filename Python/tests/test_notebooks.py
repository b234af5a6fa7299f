"""The notebooks of the examples, from beginning to end, with little data."""

import os
import pathlib

import nbclient
import nbformat
import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "Examples" / "Notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def pictures(notebook: nbformat.NotebookNode) -> int:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return sum("image/png" in output.get("data", {}) for output in outputs)


def test_there_are_four() -> None:
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_RECORDS", "20000")
    notebook = nbformat.read(path, as_version=4)
    # What is kept in the file is shown where nothing runs.
    shown = pictures(notebook)
    assert shown >= 1
    # The first cell that fails is an error.
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert pictures(notebook) == shown
    if path.stem == "Cohort" and os.environ.get("HK_DATABASE"):
        import openhealthkit as hk

        with hk.open(os.environ["HK_DATABASE"] + "&person=study-01") as store:
            assert store.types().to_list()[0]["name"] == "stepCount"
