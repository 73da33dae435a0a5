import { invalid } from '#server/errors.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { MAX_FILE_NAME } from './schema.ts'

const BINARY = 'application/octet-stream'

/** Returns the given content type if it is well-formed. */
export const toContentType = (given: string | undefined): string =>
  given && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\x20-\x7e]*)?$/.test(given) && given.length <= 255
    ? given
    : BINARY

/** Control characters, and marks that write a name backwards so that it seems to end in another way. */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Removes folders from a file name. Returns undefined if nothing is left. */
export function toFileName(attr: string, given: string): string | undefined {
  requireStorable({ [attr]: given })
  const name = given.split(/[/\\]/).at(-1)?.trim()
  if (name && INVISIBLE.test(name)) {
    throw invalid(attr, 'A file name may not contain control characters or marks of direction.')
  }
  if (name && name.length > MAX_FILE_NAME) {
    const detail = `Ensure this field has no more than ${MAX_FILE_NAME} characters.`
    throw invalid(attr, detail, 'max_length')
  }
  return name || undefined
}

/** Parses the file name from `Content-Disposition`. `filename*` wins, since it can hold any character. */
export function parseFileName(disposition: string | undefined): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition ?? '')?.[1]
  if (extended !== undefined) return tryDecode(extended)
  const [, quoted, plain] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition ?? '') ?? []
  const name = quoted?.replace(/\\(.)/g, '$1') ?? plain
  return name === undefined ? undefined : Buffer.from(name, 'latin1').toString()
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
