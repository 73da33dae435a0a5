import { generateHOTP } from '@oslojs/otp'
import { expect } from 'vitest'
import type { Db } from '#server/db/schema.ts'
import { toCounter } from '#server/features/accounts/second-factor/codes.ts'
import type { Client, TestApp } from '../app/app.ts'

export const SECOND_FACTOR = '/api/users/@me/second_factor'
export const PASSWORD = 'correct horse battery staple'

/** Decodes base 32, as an authenticator app does. */
function toBytes(secret: string): Uint8Array {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}

/** Returns the code that an authenticator app shows, `steps` periods of 30 seconds from now. */
export const codeOf = (secret: string, steps = 0): string =>
  generateHOTP(toBytes(secret), toCounter(Date.now()) + BigInt(steps), 6)

/** Lets the current code be used again, so that a test does not wait for the next one. */
export async function forgetUsedCodes(db: Db, userId: number): Promise<void> {
  const factors = db.updateTable('second_factors').where('user_id', '=', userId)
  await factors.set({ last_counter: 0 }).execute()
}

export interface Factor {
  /** In base 32. */
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** Sets up a second factor with the password. Its codes count as not used yet. */
export async function addSecondFactor(
  api: TestApp,
  client: Client,
  userId: number,
): Promise<Factor> {
  const started = await client.post(SECOND_FACTOR, { current_password: PASSWORD })
  expect(started.status).toBe(201)
  const { secret } = started.body
  const confirmed = await client.post(`${SECOND_FACTOR}/confirm`, { code: codeOf(secret) })
  expect(confirmed.status).toBe(200)
  await forgetUsedCodes(api.db, userId)
  return { secret, recoveryCodes: confirmed.body.recovery_codes }
}

/** Returns the cookies that a response sets, as a request sends them. */
export const cookiesOf = ({ headers }: { readonly headers: Headers }): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
