import { generateHOTP } from '@oslojs/otp'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../../test/support/data/second-factors.ts'
import {
  findCounter,
  generateRecoveryCodes,
  generateSecret,
  hashRecoveryCode,
  isAppCode,
  normalizeCode,
  parseSecret,
  RECOVERY_CODES,
  toAuthenticatorKey,
  toCounter,
  toSecretText,
} from './codes.ts'

/** The secret and the codes of RFC 6238, appendix B, cut to six digits. */
const RFC_SECRET = Buffer.from('12345678901234567890')
const RFC_CODES = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const

describe('codes of authenticator apps', () => {
  it.each(RFC_CODES)('are those of RFC 6238 at second %i', (second, code) => {
    expect(generateHOTP(RFC_SECRET, toCounter(second * 1000), 6)).toBe(code)
  })

  it('are accepted one period early and late, and once', () => {
    const secret = generateSecret()
    const current = Number(toCounter(Date.now()))
    const at = (steps: number) => generateHOTP(secret, BigInt(current + steps), 6)

    expect(findCounter(secret, at(0), 0)).toBe(current)
    expect(findCounter(secret, at(-1), 0)).toBe(current - 1)
    expect(findCounter(secret, at(1), 0)).toBe(current + 1)
    expect(findCounter(secret, at(0), current)).toBeUndefined()
    expect(findCounter(secret, at(-1), current)).toBeUndefined()
    expect(findCounter(secret, at(-5), 0)).toBeUndefined()
    expect(findCounter(secret, at(5), 0)).toBeUndefined()
    expect(findCounter(generateSecret(), at(0), 0)).not.toBe(current)
  })

  it('come from the secret in the QR code', () => {
    const secret = parseSecret(toSecretText(generateSecret()))

    const key = toAuthenticatorKey(secret, 'jo+x@example.com')

    const uri = new URL(key.uri)
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Hedgerow:jo%2Bx%40example\.com\?/)
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Hedgerow',
      algorithm: 'SHA1',
      secret: key.secret,
      period: '30',
      digits: '6',
    })
    expect(key.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(findCounter(secret, codeOf(key.secret), 0)).toBeDefined()
  })

  it.each([
    ['123456', true],
    [' 123 456 ', true],
    ['12345', false],
    ['1234567', false],
    ['12345a', false],
    ['١٢٣٤٥٦', false],
    ['', false],
  ])('are told from other texts: "%s"', (text, expected) => {
    expect(isAppCode(normalizeCode(text))).toBe(expected)
  })
})

describe('recovery codes', () => {
  it('are ten different texts of 80 bits', () => {
    const codes = generateRecoveryCodes()

    expect(new Set(codes).size).toBe(RECOVERY_CODES)
    for (const code of codes)
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  })

  it('are recognized as people type them', () => {
    const hash = hashRecoveryCode('0123-4567-89ab-cdef')

    expect(hashRecoveryCode(' O1 23 4567 89AB CDEF')).toBe(hash)
    expect(hashRecoveryCode('olz3456789abcdef')).not.toBe(hash)
    expect(hashRecoveryCode('oi23456789abcdef')).toBe(hash)
    expect(hash).not.toContain('4567')
  })
})
