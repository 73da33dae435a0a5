import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  createSpec,
  eventually,
  recordServices,
  run,
  runBody,
  startRuntime,
  startServer,
} from './apps.ts'

const LOCAL = { allowedHosts: ['127.0.0.1'] }

describe('fetch', () => {
  it('returns status, headers and body like node-fetch', async () => {
    const { origin } = await startServer((_, response) => {
      response.writeHead(201, 'Made', { 'X-Test': ['a', 'b'], 'Content-Type': 'application/json' })
      response.end('{"a":1}')
    })

    const { messages } = await runBody(
      `const response = await fetch('${origin}/x?y=1')
       console.log(response.ok, response.status, response.statusText, response.url, response.headers.get('x-TEST'), response.headers.has('nope'))
       console.log(await response.json(), response.bodyUsed)
       await response.text().catch((error) => console.log(error.message))
       console.log((await (await fetch(new URL('${origin}'))).buffer()).toString(), (await (await fetch('${origin}')).arrayBuffer()).byteLength)`,
      LOCAL,
    )

    expect(messages()).toEqual([
      `true 201 Made ${origin}/x?y=1 a, b false`,
      '{"a":1} true',
      `body used already for: ${origin}/x?y=1`,
      '{"a":1} 7',
    ])
  })

  it.each(['%zz', 'http://%zz:x@127.0.0.1/', 'http://', 'file:///etc/passwd', 'http://a b/'])(
    'refuses %s as a failure by the app',
    async (url) => {
      const { outcome } = await runBody(`await fetch(${JSON.stringify(url)})`, LOCAL)

      expect(outcome).toMatchObject({ ended: 'failed', by: 'app' })
    },
  )

  it('sends methods, headers and bodies', async () => {
    const { origin, requests } = await startServer((_, response) => response.end())

    await runBody(
      `import { URLSearchParams } from 'url'
       await fetch('${origin}/1', { method: 'post', headers: { 'X-A': 'b', 'Content-Length': '999', Host: 'other' }, body: 'text' })
       await fetch('${origin}/2', { method: 'PUT', body: Buffer.from('bytes') })
       await fetch('${origin}/3', { method: 'PATCH', body: (async function* () { yield 'a'; yield Buffer.from('b') })() })
       await fetch('${origin.replace('//', '//me:pass@')}/4')`.replace(/^import.*\n/, ''),
      LOCAL,
    )

    expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/1', 'text'],
      ['PUT', '/2', 'bytes'],
      ['PATCH', '/3', 'ab'],
      ['GET', '/4', ''],
    ])
    expect(requests[0]?.headers).toMatchObject({
      'x-a': 'b',
      'content-type': 'text/plain;charset=UTF-8',
      'content-length': '4',
      host: origin.slice(7),
    })
    expect(requests[3]?.headers.authorization).toBe('Basic bWU6cGFzcw==')
  })

  it('decodes compressed responses', async () => {
    const { origin } = await startServer((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync('unpacked'))
    })

    const { messages } = await runBody(
      `console.log(await (await fetch('${origin}')).text())`,
      LOCAL,
    )

    expect(messages()).toEqual(['unpacked'])
  })

  it('streams a body of any size as the app reads it', async () => {
    let sent = 0
    const { origin } = await startServer(async (_, response) => {
      const part = Buffer.alloc(256 * 1024, 65)
      for (let i = 0; i < 200 && !response.destroyed; i += 1) {
        sent += part.length
        if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve))
      }
      response.end()
    })
    const services = recordServices()
    const { outcome, messages } = await runBody(
      `const response = await fetch('${origin}')
       await meta.storage.get('wait')
       let size = 0
       for await (const part of response.body) size += part.length
       console.log(size)`,
      {
        ...LOCAL,
        services: {
          ...services,
          storage: {
            ...services.storage,
            get: async () => {
              await new Promise((resolve) => setTimeout(resolve, 500))
              services.stored.set('sent before reading', String(sent))
              return undefined
            },
          },
        },
      },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(messages()).toEqual([String(200 * 256 * 1024)])
    expect(Number(services.stored.get('sent before reading'))).toBeLessThan(20 * 1024 * 1024)
  })

  it('refuses to buffer a body that does not fit into memory', async () => {
    const { origin } = await startServer((_, response) => {
      for (let i = 0; i < 40; i += 1) response.write(Buffer.alloc(1024 * 1024))
      response.end()
    })

    const { outcome } = await runBody(`await (await fetch('${origin}')).text()`, LOCAL)

    expect(outcome).toMatchObject({
      message: expect.stringContaining('is larger than 32 MiB. Read it in chunks'),
    })
  })

  it('reports a response that is not JSON', async () => {
    const { origin } = await startServer((_, response) => response.end('<html>'))

    const { outcome } = await runBody(`await (await fetch('${origin}')).json()`, LOCAL)

    expect(outcome).toMatchObject({
      by: 'app',
      message: expect.stringContaining(
        `FetchError: invalid json response body at ${origin}/ reason:`,
      ),
    })
  })

  it("fails with node-fetch's messages", async () => {
    const { messages, outcome } = await runBody(
      `for (const url of ['nonsense', 'ftp://x.example', 'http://127.0.0.1:1/', 'http://no-such-host.invalid/'])
         await fetch(url).catch((error) => console.log(error.name, error.message, error instanceof Error))
       await fetch('http://127.0.0.1', { body: 'x' }).catch((error) => console.log(error.message))`,
      LOCAL,
    )

    expect(messages()).toEqual([
      'FetchError Invalid URL true',
      'FetchError Scheme must be either HTTP or HTTPS true',
      'FetchError request to http://127.0.0.1:1/ failed, reason: connect ECONNREFUSED 127.0.0.1:1 true',
      'FetchError Invalid hostname: no-such-host.invalid true',
      'Request with GET/HEAD method cannot have body',
    ])
    expect(outcome).toEqual({ ended: 'succeeded' })
  })

  it('times out if no response arrives', async () => {
    const { origin } = await startServer(() => {})

    const { outcome } = await runBody(`await fetch('${origin}')`, {
      ...LOCAL,
      limits: { waitMs: 300 },
    })

    expect(outcome).toMatchObject({
      by: 'app',
      message: expect.stringContaining(
        'TimeoutError: Script execution timed out after promise waited for 0.3 seconds (Test app, name: fetch',
      ),
    })
  })

  it('says whether a retry may succeed', async () => {
    const { origin } = await startServer((request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => request.socket.destroy())
    })

    const { messages } = await runBody(
      `for (const url of ['${origin}', 'http://127.0.0.1:1', 'http://no-such-host.invalid', 'ftp://a'])
         await fetch(url).then((response) => response.text())
           .catch((error) => console.log(error.isTemporary, error.message))`,
      LOCAL,
    )

    expect(messages()).toEqual([
      `true ${origin}/ broke off after 4 bytes (other side closed)`,
      'true request to http://127.0.0.1:1/ failed, reason: connect ECONNREFUSED 127.0.0.1:1',
      'false Invalid hostname: no-such-host.invalid',
      'false Scheme must be either HTTP or HTTPS',
    ])
  })

  it('times out if the body stops arriving', async () => {
    const { origin } = await startServer((_, response) => void response.write('half'))

    const { outcome } = await runBody(`await (await fetch('${origin}')).text()`, {
      ...LOCAL,
      limits: { waitMs: 300 },
    })

    expect(outcome).toMatchObject({
      by: 'app',
      message: `FetchError: ${origin}/ stopped after 4 bytes and sent nothing for 0.3 s`,
    })
  })

  it('does not wait for unread bodies, and aborts them with the run', async () => {
    let closed = 0
    const { origin } = await startServer((_, response) => {
      response.on('close', () => {
        closed += 1
      })
      const pour = (error?: Error | null): unknown =>
        error || response.write(Buffer.alloc(1e6), pour)
      pour()
    })
    const runtime = startRuntime({ ...LOCAL, limits: { concurrentFetches: 2, waitMs: 10_000 } })
    const spec = await createSpec(`export async function runEveryMinute() {
      for (let i = 0; i < 4; i++) console.log((await fetch('${origin}')).status) }`)
    const services = recordServices()

    const outcome = await run(runtime, spec, services)

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(services.messages()).toEqual(['200', '200', '200', '200'])
    await eventually(() => closed === 4)
  })

  it('stops at the limit of bytes per run', async () => {
    const { origin } = await startServer((_, response) => response.end(Buffer.alloc(3000)))

    const { outcome } = await runBody(
      `for (let i = 0; i < 5; i++) await (await fetch('${origin}')).text()`,
      { ...LOCAL, limits: { maxFetchedBytes: 10_000 } },
    )

    expect(outcome).toMatchObject({
      message: 'FetchError: The run has fetched more than 10000 bytes.',
    })
  })
})
