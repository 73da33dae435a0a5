import { unpackHead } from './body.ts'
import type { EncodingHint } from './compression.ts'
import type { BodyFormat } from './format.ts'
import { type ByteRange, outlineBody } from './outline.ts'

export interface EarlyToken {
  readonly token: unknown
  /** Whether nothing in the rest of the body can be the token instead. */
  readonly isFinal: boolean
}

/** Looks for the token in the beginning of a body, where most clients name it. */
export async function findEarlyToken(
  head: Buffer,
  findToken: BodyFormat['findToken'],
  encoding?: EncodingHint,
): Promise<EarlyToken> {
  const bytes = await unpackHead(head, encoding)
  const { isList, events, fields } = outlineBody(bytes)
  const parsed = [...fields].map(([key, range]) => [key, tryParse(bytes, range)])
  const own = findToken(Object.fromEntries(parsed))
  if (own !== undefined) return { token: own, isFinal: true }
  for (const range of events) {
    const token = findToken(tryParse(bytes, range))
    if (token !== undefined) return { token, isFinal: isList }
  }
  return { token: undefined, isFinal: false }
}

function tryParse(bytes: Buffer, { from, to }: ByteRange): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, to))
  } catch {
    return undefined // parsing the whole body will report the error
  }
}
