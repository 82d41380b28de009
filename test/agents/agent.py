"""Two programs that nobody here wrote, against a running service: the official Python client, and an agent loop whose model
is a script. Prints a line for each, and ends with an error where an answer is not what it should be.

    python agent.py http://127.0.0.1:8080 SYMBOL PROGRAM
"""

import asyncio
import json
import sys

from fastmcp.client.transports import StdioTransport
from mcp import Client
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

home, symbol, program = sys.argv[1:]
fields = ["last_price"]


async def ask_by_client() -> None:
    async with Client(f"{home}/mcp") as client:
        tools = (await client.list_tools()).tools
        answer = await client.call_tool("get_stock", {"symbol": symbol, "fields": fields})
        table = json.loads(answer.content[0].text)
        assert table == answer.structured_content and table["symbol"] == symbol, table
        refused = await client.call_tool("get_stock", {"symbol": symbol})
        assert refused.is_error and json.loads(refused.content[0].text)["argument"] == "fields", refused
    print(f"mcp 2.3.0: {len(tools)} tools, {symbol} at {table['rows'][0][1]}")


async def ask_by_agent() -> None:
    """The model misspells the symbol, reads what is near, and asks again."""
    read = []

    def model(messages, _info) -> ModelResponse:
        parts = messages[-1].parts
        read.append(str(parts[-1].content))
        if len(read) == 1:
            return ModelResponse(parts=[ToolCallPart("get_stock", {"symbol": symbol + "0", "fields": fields})])
        if len(read) == 2:
            near = json.loads(read[-1])["did_you_mean"]
            assert symbol in near, read
            return ModelResponse(parts=[ToolCallPart("get_stock", {"symbol": symbol, "fields": fields})])
        return ModelResponse(parts=[TextPart(read[-1])])

    tools = MCPToolset(StdioTransport(command=program, args=["mcp", "--url", home]))
    agent = Agent(FunctionModel(model), toolsets=[tools])
    async with agent:
        answer = (await agent.run(f"What is {symbol} at?")).output
    assert "last_price" in answer and len(read) == 3, read
    print("pydantic-ai 2.68.0: a refused call was mended in the loop of an agent")


asyncio.run(ask_by_client())
asyncio.run(ask_by_agent())
