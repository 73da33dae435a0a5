import { describe, expect, it } from 'vitest'
import { requireId, toId, toUuid } from './ids.ts'

const UUID = '01234567-89ab-cdef-0123-456789abcdef'

describe('IDs', () => {
  it.each([
    ['1', 1],
    ['0', 0],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', undefined],
    ['9223372036854775807', undefined],
    ['1'.repeat(17), undefined],
    ['', undefined],
    [' 1', undefined],
    ['1\n', undefined],
    ['-1', undefined],
    ['+1', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['0x1', undefined],
    ['１', undefined],
    ['@current', undefined],
    [undefined, undefined],
  ])('parse %j as %j', (text, id) => {
    expect(toId(text)).toBe(id)
  })

  it('name the missing thing in the error', () => {
    expect(requireId('7')).toBe(7)
    expect(() => requireId('x')).toThrow('Not found.')
    expect(() => requireId('x', 'Dashboard')).toThrow('Dashboard not found.')
  })
})

describe('UUIDs', () => {
  it.each([
    [UUID, UUID],
    [UUID.toUpperCase(), UUID],
    [UUID.replaceAll('-', ''), UUID],
    [UUID.slice(1), undefined],
    [`${UUID}0`, undefined],
    [`{${UUID}}`, undefined],
    [UUID.replace('0', 'g'), undefined],
    ['', undefined],
    ['\0', undefined],
  ])('parse %j as %j', (text, uuid) => {
    expect(toUuid(text)).toBe(uuid)
  })
})
