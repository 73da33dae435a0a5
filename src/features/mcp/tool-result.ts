import { isObject, type JsonObject } from '#model/json.ts'
import type { ApiResponse } from './dispatch.ts'

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

export type ToolResult = { readonly content: readonly ToolContent[]; readonly isError?: true }

/** About 20,000 tokens: clients cut or refuse longer results. */
export const MAX_CHARACTERS = 60_000
/** Models take pictures of up to 5 MB in base64. */
const MAX_PICTURE_BYTES = 3 * 1024 * 1024
/** Parsing more would hold up other requests. */
const MAX_PARSED_BYTES = 4 * 1024 * 1024

export const toFailure = (detail: string): ToolResult => ({ ...toText(detail), isError: true })

const toText = (...texts: readonly string[]): ToolResult => ({
  content: texts.map((text) => ({ type: 'text', text })),
})

/** Converts a response of the API to a result of limited size, without the paths in `omit`. */
export function toToolResult(response: ApiResponse, omit: readonly string[] = []): ToolResult {
  const { statusCode, headers, rawPayload } = response
  const type = String(headers['content-type'] ?? '')
  if (statusCode >= 400) return toFailure(describeError(rawPayload))
  if (type.startsWith('image/')) return toPicture(type, rawPayload)
  if (rawPayload.length === 0) return toText('Done.')
  if (rawPayload.length > MAX_PARSED_BYTES) return toCutText(rawPayload.toString())
  const value: unknown = JSON.parse(rawPayload.toString())
  for (const path of omit) omitPath(value, path.split('.'))
  const text = JSON.stringify(value)
  if (text.length <= MAX_CHARACTERS) return toText(text)
  return isObject(value) && Array.isArray(value.results)
    ? toCutList(value, value.results)
    : toCutText(text)
}

function describeError(payload: Buffer): string {
  const { detail, attr } = JSON.parse(payload.toString()) as { detail: string; attr: string | null }
  return attr === null ? detail : `${attr}: ${detail}`
}

function toPicture(mimeType: string, bytes: Buffer): ToolResult {
  if (bytes.length > MAX_PICTURE_BYTES) {
    return toFailure('The picture is larger than 3 MiB. Request it with a smaller width.')
  }
  return { content: [{ type: 'image', data: bytes.toString('base64'), mimeType }] }
}

/** Deletes what is at a path, in which `*` is every item of a list. */
function omitPath(value: unknown, [key = '', ...rest]: readonly string[]): void {
  if (key === '*') {
    if (Array.isArray(value)) for (const item of value) omitPath(item, rest)
  } else if (isObject(value)) {
    if (rest.length > 0) omitPath(value[key], rest)
    else delete (value as Record<string, unknown>)[key]
  }
}

/** Keeps as many items as fit, so that the text stays valid JSON. */
function toCutList(value: JsonObject, items: readonly unknown[]): ToolResult {
  const room = MAX_CHARACTERS - JSON.stringify({ ...value, results: [] }).length
  let length = 0
  const isTooLong = (item: unknown): boolean => {
    length += JSON.stringify(item).length + 1
    return length > room
  }
  const found = items.findIndex(isTooLong)
  const kept = items.slice(0, Math.max(found, 0))
  if (kept.length === 0) return toCutText(JSON.stringify(value))
  return toText(
    JSON.stringify({ ...value, results: kept }),
    `Cut: these are the first ${kept.length} of ${items.length} results. Request fewer, or the next ones.`,
  )
}

const toCutText = (text: string): ToolResult =>
  toText(
    text.slice(0, MAX_CHARACTERS).toWellFormed(),
    `Cut: these are the first ${MAX_CHARACTERS} of ${text.length} characters. Narrow the request.`,
  )
