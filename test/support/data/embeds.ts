import { createHmac, type KeyObject, sign } from 'node:crypto'
import type { Client } from '../app/app.ts'

export interface EmbedSecret {
  readonly id: number
  readonly kid: string
  readonly secret: string
}

export async function createEmbedSecret(client: Client): Promise<EmbedSecret> {
  const { status, body, text } = await client.post('embed_secrets')
  if (status !== 201) throw new Error(`No secret was created: ${text}`)
  return body
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

/** Signs claims for ten minutes, unless they or the header say otherwise. */
export function signEmbed(
  { kid, secret }: Pick<EmbedSecret, 'kid' | 'secret'>,
  claims: object,
  header: object = {},
): string {
  const head = encode({ alg: 'HS256', typ: 'JWT', kid, ...header })
  const signed = `${head}.${encode({ exp: inSeconds(600), ...claims })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Signs claims with an RSA key. */
export function signWithKey(key: KeyObject, kid: string, claims: object): string {
  const head = encode({ alg: 'RS256', typ: 'JWT', kid })
  const signed = `${head}.${encode({ exp: inSeconds(600), ...claims })}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}
