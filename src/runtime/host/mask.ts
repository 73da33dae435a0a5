const MASK = '****************'

/** Shorter ones would blot out half of every line. */
const SHORTEST = 4

/** Hides a config's secrets, also in the forms that they take in URLs, JSON and headers. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellings))
  if (forms.size === 0) return (text) => text
  const pattern = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|')
  const anyOfThem = new RegExp(pattern, 'g')
  return (text) => text.replace(anyOfThem, MASK)
}

function spellings(secret: string): string[] {
  const utf8 = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    asUrlPart(secret),
    asUrlPart(secret).replaceAll('%20', '+'),
    ...base64Forms(utf8),
  ].filter((form) => form.length >= SHORTEST)
}

function asUrlPart(secret: string): string {
  try {
    return encodeURIComponent(secret)
  } catch {
    return secret // half of a surrogate pair
  }
}

/** As a part of something longer a text has three forms; only the characters that no neighbour changes count. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(((before + bytes.length) * 8) / 6)
    const part = encoded.slice(first, last)
    return part.length >= 8 ? [part, part.replaceAll('+', '-').replaceAll('/', '_')] : []
  })
}
