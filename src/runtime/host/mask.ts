const MASK = '****************'

/** Masking shorter secrets would hide half of every line. */
const MIN_SECRET_LENGTH = 4

/** Masks the secrets in a text. With a length, only in the first part of the text, without the rest. */
export type Mask = (text: string, maxLength?: number) => string

/** Hides a config's secrets, also where they are encoded for URLs, JSON and headers. */
export function createMask(secrets: readonly string[]): Mask {
  const forms = new Set(
    secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH).flatMap(encodedForms),
  )
  if (forms.size === 0) return (text, maxLength) => text.slice(0, maxLength)
  const longest = Math.max(...[...forms].map(({ length }) => length))
  const pattern = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|')
  const anyForm = new RegExp(pattern, 'g')
  return (text, maxLength = text.length) => {
    // a secret that begins in the first part may end behind it
    const part = text.slice(0, maxLength + longest)
    let masked = ''
    let at = 0
    for (const { 0: form, index } of part.matchAll(anyForm)) {
      if (index >= maxLength) break
      masked += part.slice(at, index) + MASK
      at = index + form.length
    }
    return masked + part.slice(at, Math.max(at, maxLength))
  }
}

function encodedForms(secret: string): string[] {
  const utf8 = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    urlEncode(secret),
    urlEncode(secret).replaceAll('%20', '+'),
    ...base64Forms(utf8),
  ].filter((form) => form.length >= MIN_SECRET_LENGTH)
}

function urlEncode(secret: string): string {
  try {
    return encodeURIComponent(secret)
  } catch {
    return secret // half of a surrogate pair
  }
}

/** Inside a longer text, a secret has three base64 forms. Only characters that its neighbors do not change count. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(((before + bytes.length) * 8) / 6)
    const form = encoded.slice(first, last)
    return form.length >= 8 ? [form, form.replaceAll('+', '-').replaceAll('/', '_')] : []
  })
}
