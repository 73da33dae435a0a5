import { generateKeyPairSync, sign } from 'node:crypto'

const SEQUENCE = 0x30
const BIT_STRING = 0x03
const UTC_TIME = 0x17
const INTEGER = 0x02
/** ecdsa-with-SHA256 */
const ALGORITHM = encode(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'))

/** Creates a certificate for a TLS server. It has signed itself, so nobody trusts it. */
export function createCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const times = ['200101000000Z', '491231235959Z'].map((text) => encode(UTC_TIME, text))
  const noName = encode(SEQUENCE)
  const content = encode(
    SEQUENCE,
    encode(INTEGER, Buffer.of(1)),
    ALGORITHM,
    noName,
    encode(SEQUENCE, ...times),
    noName,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, privateKey)
  const bytes = encode(
    SEQUENCE,
    content,
    ALGORITHM,
    encode(BIT_STRING, Buffer.of(0), signature),
  ).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${bytes}\n-----END CERTIFICATE-----\n`,
  }
}

/** Encodes a value in DER. */
function encode(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}
