"""The only importer of `js` and `pyodide`, with substitutes for CPython.

The rest of the package is plain Python, so that it runs under pytest on any machine.
"""

from gemini.core.ffi.machine import (
    emscripten_fs,
    is_isolated,
    is_own_url,
    lacks_stack_switching,
    lacks_storage,
    memory,
    own_origin,
    set_interrupt_buffer,
    set_link_times,
    time_zone,
)
from gemini.core.ffi.own_python import OwnInterpreter, Read, Write, open_python
from gemini.core.ffi.packages import (
    add_loaded_packages,
    distribution_lock,
    errors_of_javascript,
    install_packages,
    packaged_version,
    refresh_loaded_packages,
    replace_in_lock_file,
    set_install_directory,
)
from gemini.core.ffi.page import (
    DeviceModel,
    ask_worker,
    data_folder,
    fetch_upload,
    import_packaged_module,
    kernel_host,
    linux_folder,
    load_programs,
    load_programs_now,
    meaning_folder,
    offer_download,
    own_load,
    persistent_roots,
    serve_local_requests,
    set_caller_description,
    set_clock,
    take_network_failures,
    withdraw_download,
)
from gemini.core.ffi.requests import (
    Arriving,
    RequestFailed,
    Response,
    StreamingResponse,
    fetch,
    open_request,
    open_request_async,
    send_request,
    send_request_async,
)
from gemini.core.ffi.values import (
    IN_BROWSER,
    Port,
    attempt,
    can_wait,
    js_callback,
    listen,
    replace_run_sync,
    start_eagerly,
    to_js_bytes,
    to_js_object,
    wait,
)

__all__ = [
    "Arriving", "DeviceModel", "IN_BROWSER", "OwnInterpreter", "Port", "Read", "RequestFailed",
    "Response", "StreamingResponse", "Write", "add_loaded_packages", "errors_of_javascript",
    "ask_worker", "attempt", "can_wait", "data_folder", "distribution_lock",
    "emscripten_fs", "fetch", "fetch_upload", "import_packaged_module",
    "install_packages", "is_isolated", "is_own_url", "js_callback", "kernel_host",
    "lacks_stack_switching", "lacks_storage",
    "linux_folder", "listen", "load_programs", "load_programs_now", "meaning_folder", "memory", "offer_download",
    "open_python", "open_request", "open_request_async", "own_load", "own_origin",
    "packaged_version", "persistent_roots",
    "refresh_loaded_packages", "replace_in_lock_file", "replace_run_sync", "send_request",
    "send_request_async",
    "serve_local_requests", "set_caller_description", "set_install_directory", "set_interrupt_buffer", "set_link_times",
    "set_clock", "start_eagerly", "take_network_failures", "time_zone",
    "to_js_bytes", "to_js_object", "wait", "withdraw_download",
]  # fmt: skip
