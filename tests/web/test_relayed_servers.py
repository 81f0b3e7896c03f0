"""Pages of servers in a browser that refuses sites service workers: the companion passes their requests on."""

from __future__ import annotations

import pytest

from tests.web.test_relayed_sites import surface_of_module
from tests.web.test_servers import (
    servers,
    site,
    test_a_form_is_sent_to_a_wsgi_application,
    test_answers_are_streamed_to_pages,
    test_http_server_shows_a_folder_in_a_tab,
    test_pages_have_websockets_to_their_server,
    test_serve_runs_an_asgi_application,
)

pytestmark = pytest.mark.fortnightly

__all__ = [
    "servers",
    "site",
    "surface_of_module",
    "test_a_form_is_sent_to_a_wsgi_application",
    "test_answers_are_streamed_to_pages",
    "test_http_server_shows_a_folder_in_a_tab",
    "test_pages_have_websockets_to_their_server",
    "test_serve_runs_an_asgi_application",
]
