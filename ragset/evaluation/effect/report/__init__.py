"""The report of an effect: one page in one file, without scripts, which asks nothing of the network."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from ragset.dataset import versions
from ragset.dataset.report.page import HERE, flat, template_of
from ragset.evaluation.effect.model import Effect
from ragset.evaluation.effect.report.charts import forest, learning_plot, validation_plot
from ragset.evaluation.metrics.registry import meaning
from ragset.evaluation.results import report
from ragset.evaluation.results.report.filters import FILTERS

EFFECT = "effect.json"
REPORT = "report.html"
_HERE = Path(__file__).parent
_STYLES = (HERE / "page.css", Path(report.__file__).parent / "results.css", _HERE / "effect.css")


def effect_files(effect: Effect, name: str, parameters: Mapping[str, Any], grid_file: str = "") -> dict[str, str]:
    """Texts of the files of an effect by their names: the figures and the page, which names the file beside it that holds a grid."""
    return {
        EFFECT: effect.model_dump_json(indent=2) + "\n",
        REPORT: render_effect(effect, name, parameters, grid_file),
    }


def render_effect(effect: Effect, name: str, parameters: Mapping[str, Any], grid_file: str = "") -> str:
    """The page as HTML; `name` is that of the dataset. Text from documents is shown, never run."""
    properties = groupby(effect.groups, key=lambda one: one.property)
    groups = [(title, forest([(one.group, one.change) for one in of])) for title, of in properties]
    return _template().render(
        effect=effect,
        name=name,
        grid_file=grid_file,
        metrics=forest([(one.metric, one) for one in effect.metrics]),
        groups=groups,
        learning=learning_plot(effect),
        validation=validation_plot(effect.validation) if effect.validation else None,
        moves=[("Gained", effect.gained, effect.gained_count), ("Lost", effect.lost, effect.lost_count)],
        meanings=[(one.metric, meaning(one.metric)) for one in effect.metrics],
        parameters=list(flat(dict(parameters))),
        versions=versions(),
        style="\n".join(path.read_text(encoding="utf-8") for path in _STYLES),
    )


@lru_cache(maxsize=1)
def _template() -> Any:
    return template_of(_HERE / "effect.html.jinja", FILTERS)
