import { describe, expect, it } from 'vitest'
import { runBody, startServer } from '../../test/runtime/apps.ts'
import { createAddressRules } from './address-rules.ts'

describe('the addresses that apps may reach', () => {
  const rules = createAddressRules(['10.1.0.0/16', 'fd00::5', 'intern.example', '192.168.7.7'])

  it.each(['1.1.1.1', '93.184.215.14', '2606:4700::1111', '10.1.255.1', 'fd00::5', '192.168.7.7'])(
    'hold %s',
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
  ])('do not hold %s', (address) => {
    expect(rules.isAllowedAddress(address)).toBe(false)
  })

  it('hold the names that the operator allows, in any case', () => {
    expect(rules.isAllowedName('Intern.Example.')).toBe(true)
    expect(rules.isAllowedName('other.example')).toBe(false)
  })
})

describe('an app', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://0x7f.1:PORT/',
    'http://2130706433:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
  ])('does not reach %s', async (url) => {
    const { port, requests } = await startServer((_, response) => response.end('inside'))

    const { outcome } = await runBody(`await fetch('${url.replace('PORT', String(port))}')`)

    expect(outcome).toEqual({
      ended: 'failed',
      by: 'app',
      message: 'FetchError: Internal hostname',
    })
    expect(requests).toEqual([])
  })

  it('does not reach loopback by a redirect from an allowed host', async () => {
    const inside = await startServer((_, response) => response.end('inside'))
    const { origin } = await startServer((request, response) => {
      const name = request.url === '/name' ? 'localhost' : '127.0.0.2'
      response.writeHead(302, { location: `http://${name}:${inside.port}/` }).end()
    })
    const told = '.catch((error) => console.log(error.message))'

    const { messages } = await runBody(
      `await fetch('${origin}/name')${told}; await fetch('${origin}/address')${told}`,
      { hostMap: { [origin.slice(7)]: origin } },
    )

    expect(messages()).toEqual(['Internal hostname', 'Internal hostname'])
    expect(inside.requests).toEqual([])
  })

  it('reaches what the operator allows by name', async () => {
    const { port } = await startServer((_, response) => response.end('inside'))

    const { messages } = await runBody(
      `console.log(await (await fetch('http://localhost:${port}')).text())`,
      { allowedHosts: ['localhost'] },
    )

    expect(messages()).toEqual(['inside'])
  })
})
