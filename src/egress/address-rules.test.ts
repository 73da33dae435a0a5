import { describe, expect, it } from 'vitest'
import { createAddressRules } from './address-rules.ts'

describe('address rules', () => {
  const rules = createAddressRules(['10.1.0.0/16', 'fd00::5', 'intern.example', '192.168.7.7'])

  it.each(['1.1.1.1', '93.184.215.14', '2606:4700::1111', '10.1.255.1', 'fd00::5', '192.168.7.7'])(
    'allow %s',
    (address) => {
      expect(rules.isAllowedAddress(address)).toBe(true)
    },
  )

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '10.2.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.0.0.192',
    '198.18.0.1',
    '203.0.113.5',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00::6',
    'fe80::1',
    'ff02::1',
    'not an address',
  ])('refuse %s', (address) => {
    expect(rules.isAllowedAddress(address)).toBe(false)
  })

  it('allow the names that the operator allows, ignoring case', () => {
    expect(rules.isAllowedName('Intern.Example.')).toBe(true)
    expect(rules.isAllowedName('other.example')).toBe(false)
  })
})
