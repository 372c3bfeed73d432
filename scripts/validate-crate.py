"""Validates capsules as Workflow Run Crates at level REQUIRED, without the network.

The JSON-LD context of RO-Crate 1.1 is taken from the package `rocrate`, which ships it; whatever else the validator wants to fetch
is refused.
"""

import json
import pathlib
import sys

import rocrate
from rocrate_validator import models, services
from rocrate_validator.utils import http

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
FILE = pathlib.Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"


class Answer:
    """What a web server would say."""

    status_code, headers, url = 200, {"Content-Type": "application/ld+json"}, CONTEXT
    text = FILE.read_text(encoding="utf-8")
    content = text.encode()

    def json(self):
        return json.loads(self.text)


def get(self, url, **_):
    if url.rstrip("/") != CONTEXT:
        raise RuntimeError(f"not fetched: {url}")
    return Answer()


found = Answer().json()["@id"]
assert found == CONTEXT, f"{FILE} is the context {found}"
http.HttpRequester.get = get

failed = False
for path in sys.argv[1:]:
    settings = services.ValidationSettings(
        rocrate_uri=path,
        profile_identifier="workflow-run-crate-0.5",
        requirement_severity=models.Severity.REQUIRED,
        skip_availability_check=True,
        offline=False,
    )
    result = services.validate(settings)
    for issue in result.get_issues(models.Severity.REQUIRED):
        failed = True
        print(f"{path}: {issue.check.identifier}: {issue.message}")
    print(f"{path}: {'not valid' if failed else 'valid'} ({settings.profile_identifier}, REQUIRED)")
sys.exit(failed)
