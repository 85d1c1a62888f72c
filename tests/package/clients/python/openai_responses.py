"""OpenAI's client, with raw items for questions, and its own models for structured output."""

import json

from openai import OpenAI
from pydantic import BaseModel
from report import base_url, expect_text, report

client = OpenAI(api_key="ada", base_url=base_url, max_retries=0)


class Place(BaseModel):
    city: str
    country: str


def create(**body):
    return client.responses.create(model="gpt-4.1", **body)


def answer(text, approve):
    asked = create(input=text)
    question = next(item for item in asked.output if item.type == "mcp_approval_request")
    item = {"type": "mcp_approval_response", "approval_request_id": question.id, "approve": approve}
    return create(previous_response_id=asked.id, input=[item]).output_text


def stream():
    text = ""
    for event in create(input="Say hello.", stream=True):
        if event.type == "response.output_text.delta":
            text += event.delta
    expect_text(text, "Hello.")


def next_message():
    first = create(input="My name is Ada.")
    second = create(previous_response_id=first.id, input="What is my name?")
    expect_text(second.output_text, "Ada.")


def client_tool():
    parameters = {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }
    tools = [{"type": "function", "name": "add", "parameters": parameters, "strict": True}]
    asked = create(input="Add 5 and 4.", tools=tools)
    call = next(item for item in asked.output if item.type == "function_call")
    numbers = json.loads(call.arguments)
    output = {
        "type": "function_call_output",
        "call_id": call.call_id,
        "output": str(numbers["a"] + numbers["b"]),
    }
    ended = create(previous_response_id=asked.id, input=[output], tools=tools)
    expect_text(ended.output_text, "It is 9.")


def structured():
    parsed = client.responses.parse(model="gpt-4.1", input="Where is Oslo? As JSON.", text_format=Place)
    expect_text(parsed.output_parsed, "city='Oslo' country='Norway'")


report(
    {
        "text": lambda: expect_text(create(input="Say hello.").output_text, "Hello."),
        "stream": stream,
        "serverTool": lambda: expect_text(create(input="What is the weather in Oslo?").output_text, "It is sunny."),
        "approve": lambda: expect_text(answer("Pay Alice 30.", True), "Paid."),
        "deny": lambda: expect_text(answer("Pay Bob 40.", False), "Not paid."),
        "continue": next_message,
        "clientTool": client_tool,
        "structured": structured,
    }
)
