import type { JsonObject } from '#model/json.ts'

/** Code, and the HTTP status in the stateless revision; earlier revisions always respond 200 to an unknown method. */
const CODES = {
  methodNotFound: { code: -32601, status: 404 },
  invalidParams: { code: -32602, status: 200 },
  headerMismatch: { code: -32020, status: 400 },
  unsupportedVersion: { code: -32022, status: 400 },
} as const

/** An error of the protocol. What goes wrong inside a tool is a result with `isError`, which models can read. */
export class RpcError extends Error {
  readonly code: number
  readonly status: 200 | 400 | 404
  readonly data: JsonObject | undefined

  constructor(kind: keyof typeof CODES, message: string, data?: JsonObject) {
    super(message)
    this.code = CODES[kind].code
    this.status = CODES[kind].status
    this.data = data
  }
}
