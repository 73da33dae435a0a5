import { createHmac } from 'node:crypto'
import { randomText } from '#server/db/values.ts'

/** 43 characters hold 256 bits. */
export const newSigningSecret = (): string => `whsec_${randomText(43)}`

/** Signs the time with the body to prevent replays of old deliveries. */
export function signPayload(secret: string, body: string, seconds: number): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${digest}`
}
