"""Addresses of other computers in requests to models: refused outside of text, in any spelling and at any depth."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from gemini_companion.models.addresses import refuse_addresses
from gemini_companion.models.errors import RequestUnclear

ADDRESS = "https://evil.example/?SECRET"
PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n0000").decode()


def asking(*parts: Any, **more: Any) -> dict[str, Any]:
    return {"model": "small", "messages": [{"role": "user", "content": list(parts)}], **more}


def picture(url: Any) -> dict[str, Any]:
    return asking({"type": "image_url", "image_url": {"url": url}})


SPELLINGS = [
    ADDRESS,
    f" {ADDRESS}",
    f"\t\n{ADDRESS}",
    f"\x00{ADDRESS}",
    f"\u200b{ADDRESS}",
    f"\ufeff{ADDRESS}",
    "ht\ntps://evil.example/",
    "HTTPS://EVIL.EXAMPLE/",
    "https:evil.example/?SECRET",
    "https:/evil.example",
    "https:\\\\evil.example",
    "//evil.example/?SECRET",
    "\\\\evil.example\\share",
    "/\\evil.example",
    "https%3A%2F%2Fevil.example",
    "https%253A%252F%252Fevil.example",
    "&#104;ttps://evil.example",
    "https&colon;&sol;&sol;evil.example",
    "\\u0068ttps\\u003a//evil.example",
    "\\x68ttps\\x3a//evil.example",
    "\uff48\uff54\uff54\uff50\uff53\uff1a\uff0f\uff0fevil.example",
    "file:///etc/passwd",
    "file:/etc/passwd",
    "gs://bucket/SECRET",
    "s3://bucket/SECRET",
    "ipfs://hash",
    "ipfs:hash",
    "ftp://evil.example",
    "wss://evil.example",
    "unix:///run/socket",
    "x-unheard+of://evil.example",
    "blob:https://evil.example/1",
    "view-source:https://evil.example",
    "data:text/html,<img src=https://evil.example/?SECRET>",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:image/png,https://evil.example",
    "data:image/png;base64,https://evil.example",
    "data:image/png;base64," + base64.b64encode(b"<svg><image href='https://evil.example'>").decode(),
    "data:video/mp4;base64," + base64.b64encode(b"#EXTM3U\nhttps://evil.example/SECRET").decode(),
    "data:image/png;base64," + base64.b64encode(b"https://evil.example/SECRET").decode(),
    "<img src=https://evil.example>",
    "evil.example/?SECRET",
    "images/secret.png",
]


@pytest.mark.parametrize("spelling", SPELLINGS, ids=ascii)
def test_a_medium_is_no_address(spelling: str) -> None:
    for body in (
        picture(spelling),
        asking({"type": "image", "image": spelling}),
        asking({"type": "video", "video": [spelling]}),
    ):
        with pytest.raises(RequestUnclear, match="The gateway doesn't accept"):
            refuse_addresses(body)


POSITIONS: list[dict[str, Any]] = [
    asking({"type": "video", "video": [ADDRESS]}),
    asking({"type": "video", "video": [[ADDRESS]]}),
    asking({"type": "video", "video": [{"a": [{"b": ADDRESS}]}]}),
    asking({"type": "input_image", "image_link": ADDRESS}),
    asking({"type": "image", "source": ADDRESS}),
    asking({"type": "audio", "data": ADDRESS}),
    asking({"type": "image", "path": "file:///etc/passwd"}),
    asking({"type": "image", "text": ADDRESS}),
    asking({"type": "image", "content": ADDRESS}),
    asking({"type": "image", "args": {"image": ADDRESS}}),
    asking({"type": "IMAGE_URL", "IMAGE_URL": {"URL": ADDRESS}}),
    asking({"type": ["image_url"], "image_url": {"url": ADDRESS}}),
    asking({"type": None, "image_url": {"url": ADDRESS}}),
    asking({"image_url": {"url": ADDRESS}}),
    asking({"image": ADDRESS}),
    asking({"anything": ADDRESS}),
    asking({"anything": [ADDRESS]}),
    asking({ADDRESS: 1}),
    asking({"type": "text", "text": "x", ADDRESS: "x"}),
    asking({"type": "text", "text": "x", "image_url": {"url": ADDRESS}}),
    asking({"type": "text", "text": [ADDRESS]}),
    asking({"type": "text", "text": {"url": ADDRESS}}),
    asking({"type": "document", "source": {"type": "url", "url": ADDRESS}}),
    asking({"type": "document", "source": {"type": "base64", "data": ADDRESS}}),
    asking(
        {
            "type": "document",
            "source": {
                "type": "content",
                "content": [{"type": "image", "source": {"type": "url", "url": ADDRESS}}],
            },
        }
    ),
    asking({"type": "document", "source": {"type": "file", "file_id": "file-1"}}),
    asking({"type": "input_file", "file_id": "file-1"}),
    asking({"type": "input_image", "fileId": "file-1"}),
    asking({"type": "container_upload", "id": "x"}),
    asking(
        {"type": "tool_result", "content": [{"type": "image", "source": {"type": "url", "url": ADDRESS}}]}
    ),
    asking({"type": "search_result", "source": ADDRESS}),
    asking({"type": "image", "source": {"type": "base64", "media_type": ADDRESS, "data": PIXEL}}),
    asking(ADDRESS),
    asking("x", images=[ADDRESS]),
    {"messages": [{"role": "user", "content": "x", "images": [ADDRESS]}]},
    {"messages": [{"role": "user", "content": "x", "name": ADDRESS}]},
    {"contents": [{"parts": [{"fileData": {"fileUri": ADDRESS}}]}]},
    {"contents": [{"parts": [{"file_data": {"file_uri": ADDRESS}}]}]},
    {"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": ADDRESS}}]}]},
    {
        "contents": [
            {
                "parts": [
                    {
                        "functionResponse": {
                            "name": "f",
                            "response": {},
                            "parts": [{"fileData": {"fileUri": ADDRESS}}],
                        }
                    }
                ]
            }
        ]
    },
    {"input": [{"image": ADDRESS}]},
    {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": ADDRESS}]}]},
    {"input": [{"type": "function_call_output", "output": [{"type": "input_image", "image_url": ADDRESS}]}]},
    {"input": [{"type": "item_reference", "id": "msg_1"}]},
    {"metadata": {"url": ADDRESS}},
    {"metadata": {"a": [ADDRESS]}},
    {"user": ADDRESS},
    {"options": {"a": ADDRESS}},
    {"chat_template_kwargs": {"a": [{"b": ADDRESS}]}},
    {"tools": [{"type": "function", "server_url": ADDRESS, "function": {"name": "f"}}]},
    {"tools": [{"type": "function", "function": {"name": "f", "url": ADDRESS}}]},
    {"tools": [{"type": "function", "function": {"name": "f", "parameters": {"$ref": ADDRESS}}}]},
    {
        "tools": [
            {
                "type": "function",
                "function": {"name": "f", "parameters": {"properties": {"a": {"$ref": "definitions.json"}}}},
            }
        ]
    },
    {"tools": [{"name": "f", "input_schema": {"anyOf": [{"$dynamicRef": ADDRESS}]}}]},
    {"tools": [{"name": "f", "input_schema": {"$id": ADDRESS, "$ref": "#a"}}]},
    {"tools": [{"name": "f", "input_schema": {"$schema": ADDRESS}}]},
    {"tools": [{"name": "f", "input_schema": {"default": {"$ref": ADDRESS}}}]},
    {"response_format": {"type": "json_schema", "json_schema": {"schema": {"$ref": ADDRESS}}}},
    {"response_format": {"type": "json_schema", "url": ADDRESS}},
    {"format": {"$ref": ADDRESS}},
    {"generationConfig": {"responseSchema": {"$ref": ADDRESS}}},
]


@pytest.mark.parametrize("body", POSITIONS, ids=ascii)
def test_no_member_is_an_address_outside_of_text(body: dict[str, Any]) -> None:
    with pytest.raises(RequestUnclear):
        refuse_addresses(body)


SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "url": {"type": "string", "format": "uri", "default": ADDRESS, "description": ADDRESS},
        "more": {"$ref": "#/$defs/a"},
    },
    "examples": [{"url": ADDRESS}],
    "$defs": {"a": {"type": "string", "enum": [ADDRESS]}},
}
TEXTS: list[dict[str, Any]] = [
    asking({"type": "text", "text": ADDRESS}),
    asking({"type": "text", "text": ADDRESS, "cache_control": {"type": "ephemeral", "ttl": "5m"}}),
    asking({"text": ADDRESS}),
    picture(f"data:image/png;base64,{PIXEL}"),
    asking({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}", "detail": "high"}}),
    asking({"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}", "detail": "auto"}),
    asking({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}),
    asking({"type": "input_audio", "input_audio": {"data": PIXEL, "format": "wav"}}),
    asking(
        {
            "type": "file",
            "file": {"filename": "Notes (2) ü#1.pdf", "file_data": f"data:application/pdf;base64,{PIXEL}"},
        }
    ),
    asking(
        {
            "type": "document",
            "title": ADDRESS,
            "context": ADDRESS,
            "source": {"type": "text", "media_type": "text/plain", "data": ADDRESS},
        }
    ),
    asking(
        {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": ADDRESS}]}}
    ),
    asking(
        {
            "type": "tool_use",
            "id": "toolu_1",
            "name": "web_fetch",
            "input": {"url": ADDRESS, "image": [ADDRESS], ADDRESS: 1},
        }
    ),
    asking({"type": "tool_result", "tool_use_id": "toolu_1", "content": ADDRESS}),
    asking({"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": ADDRESS}]}),
    asking({"type": "thinking", "thinking": ADDRESS, "signature": PIXEL}),
    asking({"type": "redacted_thinking", "data": PIXEL}),
    {"system": ADDRESS, "instructions": ADDRESS, "prompt": ADDRESS, "suffix": ADDRESS, "stop": [ADDRESS]},
    {"system": [{"type": "text", "text": ADDRESS}]},
    {"input": ADDRESS},
    {"input": [ADDRESS, "x"]},
    {"prompt": [ADDRESS]},
    {"messages": [{"role": "tool", "tool_call_id": "functions.f:0", "content": ADDRESS}]},
    {
        "messages": [
            {
                "role": "assistant",
                "content": None,
                "refusal": ADDRESS,
                "reasoning_content": ADDRESS,
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": ADDRESS}}
                ],
            }
        ]
    },
    {
        "messages": [
            {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {"url": ADDRESS}}}]}
        ]
    },
    {
        "messages": [
            {
                "role": "assistant",
                "reasoning_details": [{"type": "reasoning.text", "text": ADDRESS, "signature": None}],
                "thinking_blocks": [{"type": "thinking", "thinking": ADDRESS, "signature": PIXEL}],
            }
        ]
    },
    {"messages": [{"role": "user", "content": "x", "images": [PIXEL]}]},
    {
        "input": [
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": ADDRESS},
            {"type": "function_call_output", "call_id": "c", "output": ADDRESS},
        ]
    },
    {
        "input": [
            {
                "type": "reasoning",
                "id": "rs_1",
                "encrypted_content": PIXEL,
                "summary": [{"type": "summary_text", "text": ADDRESS}],
            }
        ]
    },
    {
        "contents": [
            {
                "role": "user",
                "parts": [{"text": ADDRESS}, {"inlineData": {"mimeType": "image/png", "data": PIXEL}}],
            }
        ]
    },
    {
        "contents": [
            {"parts": [{"functionCall": {"name": "f", "args": {"url": ADDRESS}}, "thoughtSignature": PIXEL}]}
        ]
    },
    {"contents": [{"parts": [{"functionResponse": {"name": "f", "response": {"url": ADDRESS}}}]}]},
    {"systemInstruction": {"parts": [{"text": ADDRESS}]}},
    {
        "tools": [
            {"type": "function", "function": {"name": "f", "description": ADDRESS, "parameters": SCHEMA}}
        ]
    },
    {
        "tools": [
            {"type": "function", "name": "f", "description": ADDRESS, "parameters": SCHEMA, "strict": True}
        ]
    },
    {"tools": [{"name": "f", "description": ADDRESS, "input_schema": SCHEMA}]},
    {
        "tools": [
            {
                "functionDeclarations": [
                    {"name": "f", "description": ADDRESS, "parametersJsonSchema": SCHEMA, "response": SCHEMA}
                ]
            }
        ]
    },
    {"response_format": {"type": "json_schema", "json_schema": {"name": "f", "schema": SCHEMA}}},
    {"text": {"format": {"type": "json_schema", "name": "f", "schema": SCHEMA}, "verbosity": "low"}},
    {
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
        "thinking": {"type": "enabled", "budget_tokens": 1024},
    },
    {"format": SCHEMA, "options": {"num_predict": 5}, "keep_alive": "5m"},
    {"tool_choice": {"type": "function", "function": {"name": "f"}}, "metadata": {"user_id": "user_1"}},
    {"model": "C:/models/a b.gguf", "reasoning": {"effort": "high", "summary": "auto"}},
]


@pytest.mark.parametrize("body", TEXTS, ids=ascii)
def test_text_schemas_and_embedded_media_are_free(body: dict[str, Any]) -> None:
    refuse_addresses(body)
