"""Each option in the help of Node 20 works in the page, or the error says what to use instead."""

from __future__ import annotations

import json
import subprocess

from builder.npm import find_node
from tests.compiling import compiled_module

# `node --help` of Node 20.20.
LISTED = """
--abort-on-uncaught-exception --allow-addons --allow-child-process --allow-fs-read --allow-fs-write
--allow-wasi --allow-worker --build-snapshot --build-snapshot-config --check --completion-bash --conditions
--cpu-prof --cpu-prof-dir --cpu-prof-interval --cpu-prof-name --debug-port --diagnostic-dir --disable-proto
--disable-warning --disable-wasm-trap-handler --disallow-code-generation-from-strings --dns-result-order
--enable-etw-stack-walking --enable-fips --enable-network-family-autoselection --enable-source-maps --env-file
--env-file-if-exists --eval --experimental-default-type --experimental-eventsource
--experimental-import-meta-resolve --experimental-network-imports --experimental-network-inspection
--experimental-permission --experimental-policy --experimental-print-required-tla --experimental-sea-config
--experimental-test-coverage --experimental-test-module-mocks --experimental-vm-modules
--experimental-wasm-modules --experimental-websocket --expose-gc --force-context-aware --force-fips
--force-node-api-uncaught-exceptions-policy --frozen-intrinsics --heap-prof --heap-prof-dir
--heap-prof-interval --heap-prof-name --heapsnapshot-near-heap-limit --heapsnapshot-signal --help
--huge-max-old-generation-size --icu-data-dir --import --input-type --insecure-http-parser --inspect
--inspect-brk --inspect-publish-uid --inspect-wait --interactive --interpreted-frames-native-stack --jitless
--loader --max-http-header-size --network-family-autoselection-attempt-timeout --no-addons --no-deprecation
--no-experimental-detect-module --no-experimental-fetch --no-experimental-global-customevent
--no-experimental-global-webcrypto --no-experimental-repl-await --no-experimental-require-module
--no-extra-info-on-fatal-exception --no-force-async-hooks-checks --no-global-search-paths --no-warnings
--node-memory-debug --openssl-config --openssl-legacy-provider --openssl-shared-config --pending-deprecation
--policy-integrity --preserve-symlinks --preserve-symlinks-main --print --prof --prof-process
--redirect-warnings --report-compact --report-directory --report-exclude-network --report-filename
--report-on-fatalerror --report-on-signal --report-signal --report-uncaught-exception --require --secure-heap
--secure-heap-min --snapshot-blob --test --test-concurrency --test-force-exit --test-name-pattern --test-only
--test-reporter --test-reporter-destination --test-shard --test-timeout --throw-deprecation --title
--tls-cipher-list --tls-keylog --tls-max-v1 --tls-min-v1 --trace-atomics-wait --trace-deprecation
--trace-event-categories --trace-event-file-pattern --trace-exit --trace-promises --trace-require-module
--trace-sigint --trace-sync-io --trace-tls --trace-uncaught --trace-warnings --track-heap-objects
--unhandled-rejections --use-bundled-ca --use-largepages --use-openssl-ca --v8-options --v8-pool-size
--version --watch --watch-path --watch-preserve-output --zero-fill-buffers -C -c -e -h -i -p -r -v
"""
SCRIPT = """
const { parseCommandLine } = await import(process.argv[1]);
const problems = {};
for (const name of process.argv.slice(2)) {
  try {
    parseCommandLine([name, "x", "y"], "v20");
  } catch (error) {
    problems[name] = error.message;
  }
}
console.log(JSON.stringify(problems));
"""


def _problems(*words: str) -> dict[str, str]:
    module = compiled_module("node/options.ts").as_uri()
    command = [find_node().node, "--input-type=module", "-e", SCRIPT, "--", module, *words]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def test_each_listed_option_works_or_has_a_reason() -> None:
    problems = _problems(*LISTED.split())
    bare = {name: text for name, text in problems.items() if "isn't supported: " not in text}
    assert not bare
    assert len(problems) < len(LISTED.split()) - 40


def test_an_option_that_node_lacks_is_an_error() -> None:
    assert _problems("--nope") == {"--nope": "node: bad option: --nope"}
