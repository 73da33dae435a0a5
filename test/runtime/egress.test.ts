import { describe, expect, it } from 'vitest'
import { runBody, startServer } from './apps.ts'

describe('the egress guard of apps', () => {
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
  ])('refuses %s', async (url) => {
    const { port, requests } = await startServer((_, response) => response.end('inside'))

    const { outcome } = await runBody(`await fetch('${url.replace('PORT', String(port))}')`)

    expect(outcome).toEqual({
      ended: 'failed',
      by: 'app',
      message: expect.stringMatching(/^FetchError: Internal hostname: \S+$/),
    })
    expect(requests).toEqual([])
  })

  it('refuses a redirect from an allowed host to loopback', async () => {
    const inside = await startServer((_, response) => response.end('inside'))
    const { origin } = await startServer((request, response) => {
      const name = request.url === '/name' ? 'localhost' : '127.0.0.2'
      response.writeHead(302, { location: `http://${name}:${inside.port}/` }).end()
    })
    const logError = '.catch((error) => console.log(error.message))'

    const { messages } = await runBody(
      `await fetch('${origin}/name')${logError}; await fetch('${origin}/address')${logError}`,
      { hostMap: { [origin.slice(7)]: origin } },
    )

    expect(messages()).toEqual(['Internal hostname: localhost', 'Internal hostname: 127.0.0.2'])
    expect(inside.requests).toEqual([])
  })

  it('allows a name that the operator allows', async () => {
    const { port } = await startServer((_, response) => response.end('inside'))

    const { messages } = await runBody(
      `console.log(await (await fetch('http://localhost:${port}')).text())`,
      { allowedHosts: ['localhost'] },
    )

    expect(messages()).toEqual(['inside'])
  })
})
