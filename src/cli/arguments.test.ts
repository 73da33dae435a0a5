import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseExpiry, parseLevel, parseScopes } from './arguments.ts'

afterEach(() => vi.useRealTimers())

describe('parseExpiry', () => {
  it.each([
    ['12h', '2026-03-01T22:30:00.000Z'],
    ['30d', '2026-03-31T10:30:00.000Z'],
    ['2w', '2026-03-15T10:30:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T12:00', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:30.5Z', '2027-01-31T12:00:30.500Z'],
    ['2027-01-31T12:00+02:00', '2027-01-31T10:00:00.000Z'],
  ])('parses %s as %s', (text, expected) => {
    vi.useFakeTimers({ now: Date.parse('2026-03-01T10:30:00Z') })

    expect(parseExpiry(text)).toBe(expected)
  })

  it.each(['', 'soon', '30', '-1d', '1.5d', '999999d', '2027-02-30', '2027-13-01', '31.1.2027'])(
    'rejects %j',
    (text) => expect(() => parseExpiry(text)).toThrow('Use a duration such as 30d'),
  )
})

describe('parseLevel', () => {
  it.each([
    ['member', 1],
    ['admin', 8],
    ['15', 15],
  ])('parses %s as %d', (text, expected) => expect(parseLevel(text)).toBe(expected))

  it.each(['', '2', 'Owner', 'toString'])('rejects %j', (text) =>
    expect(() => parseLevel(text)).toThrow('Use one of member, admin, owner'),
  )
})

describe('parseScopes', () => {
  it('collects the scopes of repeated options', () => {
    expect(parseScopes('*', parseScopes('dashboard:read'))).toEqual(['dashboard:read', '*'])
  })
})
