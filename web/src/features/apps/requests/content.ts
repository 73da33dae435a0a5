import type { WebhookRequestDetails } from '#server/features/import-apps/webhooks/schema.ts'

type Body = Pick<WebhookRequestDetails, 'body' | 'content_type'>

export const toFields = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(text))

/** Reads the body as the app gets it: JSON, JSON lines, the fields of a form, or text; undefined if it is empty. */
export function toBodyValue({ body, content_type: type }: Body): unknown {
  if (body === '') return undefined
  if (/^application\/x-www-form-urlencoded/i.test(type)) return toFields(body)
  if (/ndjson|jsonl|json-seq/i.test(type)) return parseLines(body) ?? body
  return parse(body) ?? parseLines(body) ?? body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseLines(text: string): unknown[] | undefined {
  const values = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse)
  return values.includes(undefined) ? undefined : values
}
