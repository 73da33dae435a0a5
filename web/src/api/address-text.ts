/** Proxies and chat programs truncate longer URLs, and a truncated link is worse than none. */
export const MAX_LENGTH = 4000

/** Encodes an object with letters, digits, `-` and `_`. Returns undefined if it is too long for a URL. */
export function encodeObject(value: object): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  if (bytes.length > MAX_LENGTH) return undefined
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  return text.length > MAX_LENGTH ? undefined : text
}

/** Decodes untrusted input. Returns undefined if it is not an object. */
export function decodeObject(text: string): object | undefined {
  if (text.length > MAX_LENGTH) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
