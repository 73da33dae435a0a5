import { describe, expect, it } from 'vitest'
import { createKeyRing } from './key-ring.ts'
import { generateSecretKey, parseKeys, toKeyText } from './keys.ts'
import { toSecrets } from './open.ts'

const [key, other] = [generateSecretKey(), generateSecretKey()]
const secrets = toSecrets(createKeyRing([key]))

describe('encryption', () => {
  it.each(['', 'a', '{"token":"hunter2"}', 'é😀\u0000'.repeat(1000)])(
    'decrypts %.20j to the same text',
    (text) => {
      const sealed = secrets.encryptText(text)

      expect(sealed).toMatch(new RegExp(`^s1\\.${key.id}\\.[\\w-]+$`))
      expect(secrets.decryptText(sealed)).toBe(text)
      expect(Buffer.from(secrets.decryptBytes(secrets.encryptBytes(Buffer.from(text))))).toEqual(
        Buffer.from(text),
      )
    },
  )

  it('never returns the same ciphertext twice', () => {
    expect(secrets.encryptText('a')).not.toBe(secrets.encryptText('a'))
  })

  it('detects every changed byte', () => {
    const sealed = secrets.encryptBytes(Buffer.from('hunter2'))

    for (let position = 0; position < sealed.length; position++) {
      const changed = Uint8Array.from(sealed)
      changed[position] = (changed[position] ?? 0) ^ 1
      expect(() => secrets.decryptBytes(changed), `byte ${position}`).toThrow(/stored secret/)
    }
    expect(() => secrets.decryptBytes(sealed.subarray(0, -1))).toThrow('is damaged')
    expect(() => secrets.decryptBytes(sealed.subarray(0, 20))).toThrow('is damaged')
  })

  it.each(['', '{}', 's1.', 's1.0123456789abcdef.', `s1.${key.id}.AAAA`, 's2.x.y'])(
    'does not mistake %j for encrypted text',
    (text) => {
      expect(() => secrets.decryptText(text)).toThrow('is damaged')
    },
  )

  it('names the missing key without revealing the secret', () => {
    const sealed = toSecrets(createKeyRing([other])).encryptText('hunter2')

    expect(() => secrets.decryptText(sealed)).toThrow(`encrypted with key ${other.id}`)
  })

  it('encrypts with the first key and decrypts with all', () => {
    const both = toSecrets(createKeyRing([other, key]))

    expect(both.decryptText(secrets.encryptText('a'))).toBe('a')
    expect(both.encryptText('a')).toContain(other.id)
  })
})

describe('keys', () => {
  const hex = Buffer.from(key.bytes).toString('hex')
  const base64 = toKeyText(key)

  it.each([
    ['base64', base64],
    ['base64 without padding', base64.replace('=', '')],
    ['base64 for URLs', Buffer.from(key.bytes).toString('base64url')],
    ['hex', hex],
    ['capital hex', hex.toUpperCase()],
    ['a line', `${base64}\n`],
  ])('can be given as %s', (_, text) => {
    expect(parseKeys(text, 'X')).toEqual([key])
  })

  it('can be several, separated by commas or lines', () => {
    const ids = parseKeys(`${base64}, ${toKeyText(other)}\n${hex}`, 'X').map(({ id }) => id)

    expect(ids).toEqual([key.id, other.id, key.id])
  })

  it.each(['', ' ', ',', 'secret', 'hunter2'.repeat(9), hex.slice(1), `${hex}00`, `${base64},x`])(
    'are refused if invalid, without quoting them: %.70j',
    (text) => {
      expect(() => parseKeys(text, 'HEDGEROW_SECRET_KEY')).toThrow(
        /^HEDGEROW_SECRET_KEY must contain 32 bytes in base64 or hex, .*: openssl rand -base64 32$/,
      )
    },
  )
})
