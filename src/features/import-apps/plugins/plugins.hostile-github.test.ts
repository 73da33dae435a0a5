import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../../../test/support/app/app.ts'
import { PLUGINS } from '../../../../test/support/app/plugin.ts'
import { type ArchiveEntry, toArchive } from '../../../../test/support/servers/github-server.ts'

const COMMIT = '1'.repeat(40)
const APP = toArchive(
  [
    ['app/plugin.json', '{"name":"App"}'],
    ['app/index.ts', ''],
  ],
  COMMIT,
)

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serve = (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  onTestFinished(() => server.closeAllConnections())
  return listen(server)
}

const respond = (body: Buffer | string, status = 200) =>
  serve((_, response) => void response.writeHead(status).end(body))

const redirect = (location: string) =>
  serve((_, response) => void response.writeHead(302, { location }).end())

/** Sends bytes that need not be HTTP, and hangs up. */
const sendRaw = (text: string) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(text))
    }),
  )

/** Sends the beginning of a body, and hangs up. */
const breakOff = (headers: Record<string, string>) =>
  serve((_, response) => {
    response.writeHead(200, headers)
    response.write(APP.subarray(0, 50), () => response.destroy())
  })

const sendEndlessly = () =>
  serve((_, response) => {
    const chunk = Buffer.alloc(64 * 1024)
    const send = () => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', send)
    }
    send()
  })

const sendApp = (entries: readonly ArchiveEntry[]) => respond(toArchive(entries, COMMIT))
const sendManifest = (text: string) =>
  sendApp([
    ['app/plugin.json', text],
    ['app/index.ts', ''],
  ])

describe('an app from a hostile server in place of GitHub', () => {
  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'breaks off',
      () => breakOff({ 'content-length': '100000' }),
      /HEAD\.tar\.gz broke off after \d+ bytes/,
    ],
    ['breaks off a chunked body', () => breakOff({}), /HEAD\.tar\.gz broke off after \d+ bytes/],
    ['does not speak HTTP', () => sendRaw('hello\r\n\r\n'), /could not be downloaded/],
    [
      'sends a wrong chunk',
      () => sendRaw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n'),
      /HEAD\.tar\.gz broke off after \d+ bytes/,
    ],
    [
      'sends two lengths',
      () => sendRaw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello'),
      /could not be downloaded/,
    ],
    [
      'sends a header of 100 kB',
      () => sendRaw(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`),
      /could not be downloaded/,
    ],
    ['sends without end', sendEndlessly, /larger than 10 MiB/],
    ['redirects without end', () => redirect('/again'), /maximum redirect reached/],
    ['redirects to a file', () => redirect('file:///etc/passwd'), /Scheme must be either HTTP/],
    ['redirects to a script', () => redirect('javascript:alert(1)'), /Scheme must be either HTTP/],
    ['redirects to no address', () => redirect('http://[bad'), /invalid redirect URL/],
    ['redirects to localhost', () => redirect('http://localhost:1/'), /Internal hostname/],
    ['redirects to ::1', () => redirect('http://[::1]:1/'), /Internal hostname/],
    [
      'redirects to a mapped address',
      () => redirect('http://[::ffff:127.0.0.1]/'),
      /Internal host/,
    ],
    ['redirects to a decimal address', () => redirect('http://2130706433/'), /Internal hostname/],
    ['redirects to an octal address', () => redirect('http://0177.1/'), /Internal hostname/],
    ['redirects to a metadata service', () => redirect('http://169.254.169.254/'), /Internal host/],
    ['redirects with a password', () => redirect('http://a:b@127.0.0.2/'), /Internal hostname/],
    ['sends a page', () => respond('<script>alert(1)</script>'), /is not a \.tgz file/],
    ['sends nothing', () => respond('', 204), /responded with status 204/],
    [
      'nests plugin.json',
      () => sendManifest(`{"name":"x","config":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
      /nested deeper than 64 levels/,
    ],
    [
      'sends a large plugin.json',
      () => sendManifest(JSON.stringify({ name: 'x', more: 'y'.repeat(300_000) })),
      /plugin\.json is larger than 256 KiB/,
    ],
  ])('is refused if it %s', async (_, start, detail) => {
    const url = await start()
    const api = await startApp(undefined, { HEDGEROW_GITHUB_URL: url })

    const { status, body } = await api.post(PLUGINS, { url: `${url}/o/app` })

    expect({ status, attr: body.attr }).toEqual({ status: 400, attr: 'url' })
    expect(body.detail).toMatch(detail)
    const { results } = (await api.get(PLUGINS)).body
    expect(results.every(({ built_in }: { built_in: boolean }) => built_in)).toBe(true)
  })

  it('offers no job with the name of a prototype', async () => {
    const manifest = '{"name":"x","publicJobs":{"__proto__":{"payload":{}},"constructor":{}}}'
    const url = await sendManifest(manifest)
    const api = await startApp(undefined, { HEDGEROW_GITHUB_URL: url })

    const { body } = await api.post(PLUGINS, { url: `${url}/o/app` })

    expect(Object.keys(body.public_jobs)).toEqual([])
    expect(body.limitation).toContain('does not export (__proto__, constructor)')
  })

  it('does not learn the prototype of anything', async () => {
    const manifest =
      '{"name":"x","__proto__":{"description":"evil"},"constructor":{"prototype":{}}}'
    const url = await sendApp([
      ['app/plugin.json', manifest],
      ['app/index.ts', ''],
      ['app/__proto__.ts', 'export {}'],
      ['app/constructor.json', '{}'],
    ])
    const api = await startApp(undefined, { HEDGEROW_GITHUB_URL: url })

    const { status, body } = await api.post(PLUGINS, { url: `${url}/o/app` })

    expect({ status, description: body.description }).toEqual({ status: 201, description: '' })
    expect(({} as { description?: string }).description).toBeUndefined()
  })
})
