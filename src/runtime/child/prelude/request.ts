import type { RequestToApp } from '#server/runtime/wire/protocol.ts'
import type { Bridge } from '../bridge.ts'

/** Converts a request to what `onRequest` gets: the body as a value, by its content type, and as text. */
export function toAppRequest(
  { method, query, headers, body, received_at }: RequestToApp,
  URLSearchParams: Bridge['URLSearchParams'],
) {
  const toFields = (text: string) => Object.fromEntries(new URLSearchParams(text))
  return {
    method,
    query: toFields(query),
    headers,
    body: toValue(body, headers, toFields),
    text: body,
    received_at,
  }
}

function toValue(
  text: string,
  { 'content-type': type = '' }: Readonly<Record<string, string>>,
  toFields: (text: string) => unknown,
): unknown {
  if (text === '') return undefined
  if (/^application\/x-www-form-urlencoded/i.test(type)) return toFields(text)
  if (/ndjson|jsonl|json-seq/i.test(type)) return parseLines(text)
  return parse(text) ?? parseLines(text) ?? text
}

/** Reads JSON, whatever the content type says, since many senders say nothing. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseLines(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map(parse)
  return values.includes(undefined) ? undefined : values
}
