from flows.parameters.table import PAGE, page


def test_the_page_of_parameters_is_as_the_models_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m flows.parameters.table`"
