"""Reads exported facts by pyarrow, pandas, Polars and DuckDB, and compares each value with those of the panel.

    compare.py FOLDER

FOLDER has the exports in out/parquet and out/arrow, and in panel-N.arrows the same stock-days as Arrow streams of
POST /panel, some fields each. Ends with an error where a single value differs.
"""

import glob
import sys
import time

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as dataset
import pyarrow.parquet as parquet

folder = sys.argv[1]
KEYS = [("trade_date", "ascending"), ("symbol", "ascending")]


def plain(table):
    """The types of a panel: texts without dictionaries, instants in milliseconds."""
    fields = []
    for field in table.schema:
        of = field.type
        if pa.types.is_dictionary(of) or pa.types.is_large_string(of) or pa.types.is_string_view(of):
            of = pa.string()
        elif pa.types.is_timestamp(of):
            assert of.tz in ("UTC", "Etc/UTC"), (field.name, of.tz)
            of = pa.timestamp("ms", "UTC")
        fields.append(pa.field(field.name, of))
    return pa.table([column.cast(field.type) for column, field in zip(table.columns, fields)], pa.schema(fields))


def compare(reader, table, started):
    table = plain(table).select(expected.column_names).sort_by(KEYS)
    assert table.num_rows == expected.num_rows, (reader, table.num_rows, expected.num_rows)
    values = 0
    for name in expected.column_names:
        ours, theirs = table[name].combine_chunks(), expected[name].combine_chunks()
        if ours.type != theirs.type:
            ours = ours.cast(theirs.type)
        if pa.types.is_floating(theirs.type):
            assert not pc.any(pc.is_nan(ours)).as_py(), (reader, name, "has NaN")
        assert ours.equals(theirs), (reader, name)
        values += len(ours)
    print(f"{reader}: {table.num_rows} rows, {values} values equal, {time.time() - started:.1f} s")


expected = None
for panel in glob.glob(f"{folder}/panel-*.arrows"):
    with pa.OSFile(panel) as source:
        part = plain(pa.ipc.open_stream(source).read_all()).sort_by(KEYS)
    if expected is None:
        expected = part
        continue
    assert part["trade_date"].equals(expected["trade_date"]) and part["symbol"].equals(expected["symbol"])
    for name in part.column_names[2:]:
        expected = expected.append_column(part.schema.field(name), part[name])
folder = f"{folder}/out"
files = sorted(glob.glob(f"{folder}/parquet/facts/*/*.parquet"))
assert files, "no file"
schema = parquet.read_schema(files[0])
assert schema.metadata[b"as_of"].endswith(b"Z") and schema.metadata[b"generated_by"] == b"tigraph"
assert schema.field("last_price").metadata[b"unit"] == b"USD", schema.field("last_price").metadata
assert str(schema.field("trade_date").type) == "date32[day]"
assert str(schema.field("updated_at").type) == "timestamp[us, tz=UTC]", schema.field("updated_at").type

started = time.time()
compare("pyarrow", pa.concat_tables([parquet.ParquetFile(file).read() for file in files]), started)
arrow = sorted(glob.glob(f"{folder}/arrow/facts/*/*.arrow"))
if arrow:
    started = time.time()
    compare("pyarrow, Arrow files", dataset.dataset(arrow, format="arrow").to_table(), started)
started = time.time()
frames = [pandas.read_parquet(file, dtype_backend="pyarrow", partitioning=None) for file in files]
compare("pandas", pa.Table.from_pandas(pandas.concat(frames), preserve_index=False), started)
started = time.time()
compare("Polars", polars.read_parquet(files, hive_partitioning=False).to_arrow(), started)
started = time.time()
connection = duckdb.connect()
connection.execute("set TimeZone = 'UTC'")
query = f"select * exclude (year) from read_parquet('{folder}/parquet/facts/*/*.parquet', hive_partitioning = true)"
compare("DuckDB", connection.sql(query).to_arrow_table(), started)
