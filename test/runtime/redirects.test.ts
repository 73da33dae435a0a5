import { describe, expect, it } from 'vitest'
import { runBody, startServer } from './apps.ts'

const LOCAL = { allowedHosts: ['127.0.0.1'] }

describe('redirects', () => {
  it('are followed, with the body if the status requires it', async () => {
    const { origin, requests } = await startServer((request, response) => {
      const [, status, to] = request.url?.split('/') ?? []
      if (to) response.writeHead(Number(status), { location: `/${to}` })
      response.end('end')
    })

    const { messages } = await runBody(
      `for (const status of [302, 303, 307, 308]) {
         const response = await fetch('${origin}/' + status + '/there', { method: 'POST', body: 'x' })
         console.log(response.url, response.redirected)
       }
       const manual = await fetch('${origin}/301/there', { redirect: 'manual' })
       console.log(manual.status, fetch.isRedirect(manual.status), manual.headers.get('location'))
       await fetch('${origin}/301/there', { redirect: 'error' }).catch((error) => console.log(error.type))`,
      LOCAL,
    )

    expect(messages()).toEqual([
      ...Array(4).fill(`${origin}/there true`),
      '301 true /there',
      'no-redirect',
    ])
    expect(
      requests.filter(({ url }) => url === '/there').map(({ method, body }) => method + body),
    ).toEqual(['GET', 'GET', 'POSTx', 'POSTx'])
  })

  it('are followed at most twenty times', async () => {
    const { origin, requests } = await startServer((_, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })

    const { outcome } = await runBody(`await fetch('${origin}', { follow: 1000 })`, LOCAL)

    expect(outcome).toMatchObject({
      message: `FetchError: maximum redirect reached at: ${origin}/again`,
    })
    expect(requests).toHaveLength(21)
  })

  it('to another origin drop credentials and headers with secrets', async () => {
    const other = await startServer((_, response) => response.end())
    const { origin } = await startServer((_, response) => {
      response.writeHead(302, { location: other.origin }).end()
    })

    await runBody(
      `await fetch('${origin}', { headers: { Authorization: 'Bearer 1', Cookie: 'a=b', 'X-Token': 'id:topsecret', 'X-Plain': 'c' } })`,
      { ...LOCAL, spec: { secrets: ['topsecret'] } },
    )

    const { headers } = other.requests[0] ?? {}
    expect(headers).toMatchObject({ 'x-plain': 'c' })
    expect(Object.keys(headers ?? {})).not.toContain('authorization')
    expect(Object.keys(headers ?? {})).not.toContain('cookie')
    expect(Object.keys(headers ?? {})).not.toContain('x-token')
  })
})

describe('a host map', () => {
  it('redirects a host name, even to a private address', async () => {
    const { origin, requests } = await startServer((_, response) => response.end('here'))

    const { messages } = await runBody(
      `const response = await fetch('https://api.shop.example/orders?x=1')
       console.log(response.url, await response.text())`,
      { hostMap: { 'api.shop.example': origin } },
    )

    expect(messages()).toEqual(['https://api.shop.example/orders?x=1 here'])
    expect(requests[0]?.url).toBe('/orders?x=1')
  })
})

describe('a path that looks like a host', () => {
  it('stays a path when a host map applies', async () => {
    const inside = await startServer((_, response) => response.end('inside'))
    const { origin, requests } = await startServer((_, response) => response.end('here'))

    const { messages } = await runBody(
      `console.log(await (await fetch('https://api.shop.example//127.0.0.1:${inside.port}/x')).text())
       await fetch('http://constructor/').catch((error) => console.log(error.message))`,
      { hostMap: { 'api.shop.example': origin } },
    )

    expect(messages()).toEqual(['here', 'Invalid hostname: constructor'])
    expect(requests[0]?.url).toBe(`//127.0.0.1:${inside.port}/x`)
    expect(inside.requests).toEqual([])
  })
})
