import { randomBytes } from 'node:crypto'
import { createTOTPKeyURI, verifyHOTP } from '@oslojs/otp'
import { hashToken } from '#server/access/sessions.ts'

/** The only period and length that every authenticator app supports. */
const PERIOD_S = 30
const DIGITS = 6
/** The length that RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Accepts the code before and after the current one, because clocks differ and typing takes time. */
const STEPS = [-1n, 0n, 1n]

export const generateSecret = (): Uint8Array => randomBytes(SECRET_BYTES)

/** Secrets are stored as text, encrypted. */
export const toSecretText = (secret: Uint8Array): string => Buffer.from(secret).toString('base64')

export const parseSecret = (text: string): Uint8Array => Buffer.from(text, 'base64')

export interface AuthenticatorKey {
  /** In base 32, to be typed where no camera is at hand. */
  readonly secret: string
  /** The content of the QR code. */
  readonly uri: string
}

export function toAuthenticatorKey(secret: Uint8Array, email: string): AuthenticatorKey {
  const uri = createTOTPKeyURI('Hedgerow', email, secret, PERIOD_S, DIGITS)
  return { secret: new URL(uri).searchParams.get('secret') ?? '', uri }
}

/** Numbers the periods of 30 seconds since 1970. */
export const toCounter = (ms: number): bigint => BigInt(Math.floor(ms / 1000 / PERIOD_S))

/** Finds the period that a code belongs to, among those after the last used one. Compares all, in constant time. */
export function findCounter(
  secret: Uint8Array,
  code: string,
  lastCounter: number,
): number | undefined {
  const current = toCounter(Date.now())
  const matching = STEPS.map((step) => current + step).filter((counter) =>
    verifyHOTP(secret, counter, DIGITS, code),
  )
  return matching.map(Number).find((counter) => counter > lastCounter)
}

/** People type the spaces that apps and lists show. */
export const normalizeCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()

/** Tells codes of authenticator apps from recovery codes. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

export const RECOVERY_CODES = 10
/** 80 random bits: too many to guess, so a fast hash is enough. */
const RECOVERY_CODE_LENGTH = 16
/** Crockford's base 32 lacks letters that look like others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Generates codes such as `8k2m-x0pd-77qz-tw4c`. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(RECOVERY_CODE_LENGTH)].map((byte) => ALPHABET[byte % 32])
    return letters.join('').replace(/.{4}(?=.)/g, '$&-')
  })

/** Reads `o` as 0, and `i` and `l` as 1, as Crockford's base 32 does. */
export const hashRecoveryCode = (code: string): string =>
  hashToken(normalizeCode(code).replaceAll('o', '0').replace(/[il]/g, '1'))
