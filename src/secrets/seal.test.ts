import { describe, expect, it } from 'vitest'
import { ringOf } from './key-ring.ts'
import { newKey, parseKeys, toKeyText } from './keys.ts'
import { toSecrets } from './open.ts'

const [key, other] = [newKey(), newKey()]
const secrets = toSecrets(ringOf([key]))

describe('sealing', () => {
  it.each(['', 'a', '{"token":"hunter2"}', 'é😀\u0000'.repeat(1000)])(
    'gives back %.20j',
    (text) => {
      const sealed = secrets.sealText(text)

      expect(sealed).toMatch(new RegExp(`^s1\\.${key.id}\\.[\\w-]+$`))
      expect(secrets.openText(sealed)).toBe(text)
      expect(Buffer.from(secrets.openBytes(secrets.sealBytes(Buffer.from(text))))).toEqual(
        Buffer.from(text),
      )
    },
  )

  it('never gives the same twice', () => {
    expect(secrets.sealText('a')).not.toBe(secrets.sealText('a'))
  })

  it('is broken by any byte that changes', () => {
    const sealed = secrets.sealBytes(Buffer.from('hunter2'))

    for (let position = 0; position < sealed.length; position++) {
      const changed = Uint8Array.from(sealed)
      changed[position] = (changed[position] ?? 0) ^ 1
      expect(() => secrets.openBytes(changed), `byte ${position}`).toThrow(/stored secret/)
    }
    expect(() => secrets.openBytes(sealed.subarray(0, -1))).toThrow('is damaged')
    expect(() => secrets.openBytes(sealed.subarray(0, 20))).toThrow('is damaged')
  })

  it.each(['', '{}', 's1.', 's1.0123456789abcdef.', `s1.${key.id}.AAAA`, 's2.x.y'])(
    'does not take %j for sealed',
    (text) => {
      expect(() => secrets.openText(text)).toThrow('is damaged')
    },
  )

  it('says which key is needed, and nothing of what was sealed', () => {
    const sealed = toSecrets(ringOf([other])).sealText('hunter2')

    expect(() => secrets.openText(sealed)).toThrow(`sealed with key ${other.id}`)
  })

  it('uses the first key, and opens with all', () => {
    const both = toSecrets(ringOf([other, key]))

    expect(both.openText(secrets.sealText('a'))).toBe('a')
    expect(both.sealText('a')).toContain(other.id)
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
  ])('may be given as %s', (_, text) => {
    expect(parseKeys(text, 'X')).toEqual([key])
  })

  it('may be several, by commas or lines', () => {
    const ids = parseKeys(`${base64}, ${toKeyText(other)}\n${hex}`, 'X').map(({ id }) => id)

    expect(ids).toEqual([key.id, other.id, key.id])
  })

  it.each(['', ' ', ',', 'secret', 'hunter2'.repeat(9), hex.slice(1), `${hex}00`, `${base64},x`])(
    'may not be %.70j, which is not repeated in the refusal',
    (text) => {
      expect(() => parseKeys(text, 'HEDGEROW_SECRET_KEY')).toThrow(
        /^HEDGEROW_SECRET_KEY must hold 32 bytes in base64 or hex, .*: openssl rand -base64 32$/,
      )
    },
  )
})
