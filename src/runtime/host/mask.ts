const MASK = '****************'

/** Masking shorter secrets would hide half of every line. */
const MIN_SECRET_LENGTH = 4

export type Mask = (text: string) => string

/** Hides a config's secrets, also where they are encoded for URLs, JSON and headers. */
export function createMask(secrets: readonly string[]): Mask {
  const forms = new Set(
    secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH).flatMap(encodedForms),
  )
  if (forms.size === 0) return (text) => text
  const pattern = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|')
  const anyForm = new RegExp(pattern, 'g')
  return (text) => text.replace(anyForm, MASK)
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
