"""Writes `src/tigraph/models.py`: dataclasses of what the package answers, from the OpenAPI document.

python generate.py            # writes the file
python generate.py --print    # prints it, for the test that compares
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from datamodel_code_generator import Formatter, InputFileType, LiteralType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import DatetimeClassType

HERE = Path(__file__).parent
DOCUMENT = HERE.parent / "openapi.json"
MODELS = HERE / "src" / "tigraph" / "models.py"
ROOTS = (
    "ClaimEvent",
    "ClaimRecord",
    "ListedSymbol",
    "OptimizationRun",
    "ScreenField",
    "StockResult",
    "StreamChange",
    "StreamEvent",
    "StreamGap",
    "StreamSnapshot",
)


def models() -> str:
    """Source of the module. A stock is typed as it is answered without `fields`: whole."""
    document = json.loads(DOCUMENT.read_text(), object_hook=_as_answered)
    known: dict[str, Any] = document["components"]["schemas"]
    wanted: dict[str, Any] = {}
    waiting = list(ROOTS)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted[name] = known[name]
            waiting += re.findall(r'"#/components/schemas/(\w+)"', json.dumps(known[name]))
    document["components"] = {"schemas": dict(sorted(wanted.items()))}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "models.py"
        generate(
            json.dumps(document),
            input_filename="openapi.json",
            input_file_type=InputFileType.OpenAPI,
            output=output,
            output_model_type=DataModelType.DataclassesDataclass,
            output_datetime_class=DatetimeClassType.Datetime,
            target_python_version=PythonVersion.PY_311,
            enum_field_as_literal=LiteralType.All,
            keyword_only=True,
            use_schema_description=True,
            use_field_description=True,
            disable_timestamp=True,
            formatters=[Formatter.BUILTIN],
        )
        return output.read_text()


def _as_answered(part: dict[str, Any]) -> dict[str, Any]:
    required = part.get("x-required-without-fields")
    return part if required is None else part | {"required": required}


if __name__ == "__main__":
    if "--print" in sys.argv:
        print(models(), end="")
    else:
        MODELS.write_text(models())
