import { type Static, Type } from 'typebox'
import type { JsonObject } from '#model/json.ts'
import { ErrorBody } from '#server/http/openapi-document.ts'

const Fields = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })
const MessageId = Type.Union([Type.String({ maxLength: 400 }), Type.Number()])

export const McpMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional({ ...MessageId, description: 'Absent in a notification.' }),
    method: Type.String({ maxLength: 400 }),
    params: Type.Optional(Fields),
  },
  { title: 'McpMessage', description: 'A JSON-RPC request or notification.' },
)
export type McpMessage = Static<typeof McpMessage>

export const McpResponse = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: MessageId,
    result: Type.Optional(Fields),
    error: Type.Optional(
      Type.Object({
        code: Type.Integer(),
        message: Type.String(),
        data: Type.Optional(Fields),
      }),
    ),
  },
  { title: 'McpResponse', description: 'A JSON-RPC response.', additionalProperties: false },
)
export type McpResponse = Static<typeof McpResponse>

export const Refusal = Type.Union([McpResponse, ErrorBody], {
  description: 'The message, its protocol version or its headers are invalid.',
})
