"""Lists what is inside of a release, as a CycloneDX bill of materials (https://cyclonedx.org/docs/1.6/json/)."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from builder.notices import Component
from builder.release.described import Described

# An SPDX identifier or expression. Other licences are named by their own words.
SPDX = re.compile(r"\(?[A-Za-z0-9.+-]+( (AND|OR|WITH) \(?[A-Za-z0-9.+-]+\)?)*\)?")


def bill(about: Described, components: Iterable[Component]) -> dict[str, Any]:
    """Return the bill of materials."""
    listed = sorted((_component(each) for each in components), key=lambda each: each["bom-ref"])
    own = f"pkg:pypi/{about.name}@{about.version}"
    content = json.dumps([own, listed], sort_keys=True)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same content has the same number.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(about.epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": about.name,
                "version": about.version,
                "description": about.summary,
                "licenses": [{"expression": about.licence}],
                "purl": own,
            },
        },
        "components": listed,
        "dependencies": [{"ref": own, "dependsOn": [each["bom-ref"] for each in listed]}],
    }


def _component(component: Component) -> dict[str, Any]:
    # Notices tell Debian's packages from others of the same name.
    name = component.name.removeprefix("Debian ")
    address = f"pkg:{component.kind}/{quote(name, safe='/')}@{quote(component.version, safe='')}"
    described: dict[str, Any] = {
        "type": "library",
        "bom-ref": address,
        "name": component.name,
        "version": component.version,
        "purl": address,
    }
    if SPDX.fullmatch(component.licence):
        described["licenses"] = [{"expression": component.licence}]
    elif component.licence != "see below":
        described["licenses"] = [{"license": {"name": component.licence}}]
    return described
