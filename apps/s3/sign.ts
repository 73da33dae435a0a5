import { createHmac, hash } from 'node:crypto'

export interface Keys {
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** Empty for keys that do not end. */
  readonly sessionToken: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 's3'
const EMPTY_BODY = hash('sha256', '')

/** Returns the headers that sign a GET (Signature Version 4). The URL is in the form that `toUrl` makes. */
export function sign(url: URL, keys: Keys, now: Date): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const signed: Record<string, string> = {
    host: url.host,
    'x-amz-content-sha256': EMPTY_BODY,
    'x-amz-date': time,
    ...(keys.sessionToken !== '' && { 'x-amz-security-token': keys.sessionToken }),
  }
  const names = Object.keys(signed).join(';')
  const canonical = [
    'GET',
    url.pathname,
    url.search.slice(1),
    ...Object.entries(signed).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    EMPTY_BODY,
  ].join('\n')
  const scope = `${day}/${keys.region}/${SERVICE}/aws4_request`
  const text = [ALGORITHM, time, scope, hash('sha256', canonical)].join('\n')
  const key = [day, keys.region, SERVICE, 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${keys.secretKey}`),
  )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  const { host: _, ...headers } = signed
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${keys.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** Encodes all but the characters that RFC 3986 reserves for no use, as the signature wants it. */
export const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Returns the parameters in the order of the signature. */
export const toQuery = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
