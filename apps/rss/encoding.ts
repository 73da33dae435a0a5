import { createDecoder } from '../shared/decode.ts'

const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.-]+)["']/
const LATIN = /^(iso-?8859-?1|latin-?1|windows-?1252|cp-?1252|us-ascii|ascii)$/i
const UTF = /^utf-?(8|16(le|be)?)$/i
/** The characters of windows-1252 from 128 on, where ISO 8859-1 has none that a text needs. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Decodes a document. Its declaration counts if the response does not say what its encoding is. */
export function decodeDocument(bytes: Buffer, contentType: string): string {
  const declared =
    /charset\s*=\s*"?([\w.-]+)/i.exec(contentType)?.[1] ??
    DECLARED.exec(bytes.toString('latin1', 0, 500))?.[1] ??
    'utf-8'
  if (LATIN.test(declared)) {
    return bytes
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 128] ?? '')
  }
  if (!UTF.test(declared)) throw new Error(`has the encoding ${declared}, which is not supported`)
  return createDecoder().push(bytes, true)
}
