import io

from lxml import html

from ragset.documents.formats import Opened, Read, read_file
from ragset.documents.formats.large_page import render

PARAGRAPH = "The escapement hands the energy of the falling weight to the foliot in small, equal steps."


def page(text: str) -> tuple[str, str]:
    (found,) = read_file(Opened(io.BytesIO(text.encode()), "a.html", ".html", "utf-8", 50_000_000))
    assert isinstance(found, Read)
    return found.title, found.text


def rendered(body: str) -> str:
    return render(html.document_fromstring(f"<html><head><title>T</title></head><body>{body}</body></html>"))


def test_a_page_becomes_markdown() -> None:
    found = rendered(
        "<h1>The <b>clock</b></h1><p>One <a href='x'>two</a>,<!-- no --> three.<br>Four.</p>loose<ul><li>a<li>b<ul><li>c</ul></ul>"
        "<ol><li><p>first</p></li></ol><pre>def f():\n    <b>return</b> 1\n\nx</pre>after"
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><div><div>run <code>x  = 1</code></div>end</div>"
    )
    assert found == (
        "# The clock\n\nOne two, three.\nFour.\n\nloose\n- a\n- b\n- c\n\n- first\n\n```\ndef f():\n    return 1\n\nx\n```\n\nafter\n"
        "| A | B |\n| 1 | 2 |\n\nrun `x = 1`\n\nend"
    )


def test_what_stands_round_the_article_is_left_out() -> None:
    article = f"<p>{PARAGRAPH}</p>" * 4
    round_it = (
        "<header>Site name</header><nav>Home</nav><div class='left-sidebar'>Latest news</div><div role='navigation'>Topics</div>"
        "<script>secret</script><p hidden>unseen</p><div id='cookie-banner'>Accept</div>"
        f"<ul>{''.join(f'<li><a href=x>Entry {n}</a></li>' for n in range(9))}</ul><footer>All rights reserved</footer>"
    )
    for page in (f"{round_it}<main>{article}</main>", f"{round_it}<div class='page with-sidebar'>{article}</div>"):
        assert rendered(page) == "\n\n".join([PARAGRAPH] * 4)


def test_a_page_that_is_one_list_of_links_keeps_it() -> None:
    assert rendered(f"<ul>{''.join(f'<li><a href=x>Entry {n}</a></li>' for n in range(9))}</ul>").startswith(
        "- Entry 0"
    )


def test_a_large_page_says_what_a_small_one_of_the_same_kind_says() -> None:
    section = "".join(
        f"<h2>Part {n}</h2><p>{PARAGRAPH} It has <a href='w'>wheels</a> and a weight.</p>" for n in range(20)
    )
    around = "<nav><a href='/'>Home</a></nav><main><h1>Clocks</h1>{}</main><footer>Copyright 2020</footer>"
    small = page(f"<html><head><title>T</title></head><body>{around.format(section)}</body></html>")
    large = page(f"<html><head><title>T</title></head><body>{around.format(section * 300)}</body></html>")
    assert small[0] == large[0] == "T"
    assert "Home" not in large[1]
    assert "Copyright" not in large[1]
    words = small[1].split()
    assert large[1].split()[: len(words)] == words
    assert len(large[1]) > 500_000
