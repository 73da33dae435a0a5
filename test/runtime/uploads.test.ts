import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createSpec,
  eventually,
  recordServices,
  run,
  runBody,
  startRuntime,
  startServer,
} from './apps.ts'

const MIB = 1024 * 1024
const allowedHosts = ['127.0.0.1']

/** Accepts connections, and reads and sends nothing. */
async function startTarpit(): Promise<{ readonly port: number; readonly open: Set<Socket> }> {
  const open = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    open.add(socket.on('error', () => {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The tarpit does not listen.')
  return { port: address.port, open }
}

describe('uploads to a server that reads nothing', () => {
  it('wait in the app, and the server buffers no more than the limit of a run', async () => {
    const { port, open } = await startTarpit()
    const runtime = startRuntime({ allowedHosts, limits: { maxUploadBytes: 3 * MIB } })
    const services = recordServices()
    const spec = await createSpec(`export async function runEveryMinute({ utils }) {
      const body = Buffer.alloc(1024 * 1024, 120)
      for (let i = 0; i < 100; i++) fetch('http://127.0.0.1:${port}', { method: 'POST', body })
      await utils.sleep(500)
      console.log('flooded')
      for (;;) await utils.sleep(1000)
    }`)
    const cancel = new AbortController()
    const before = process.memoryUsage().arrayBuffers

    const running = run(runtime, spec, services, undefined, cancel.signal)
    await eventually(() => services.messages().includes('flooded') && open.size > 0)
    const growth = process.memoryUsage().arrayBuffers - before
    cancel.abort()
    await running

    expect(open.size).toBeLessThanOrEqual(3)
    expect(growth).toBeLessThan(16 * MIB)
  })

  it('do not block other requests', async () => {
    const { port } = await startTarpit()
    const { origin } = await startServer((_, response) => response.end('fine'))

    const runtime = startRuntime({ allowedHosts, limits: { maxUploadBytes: MIB } })
    const services = recordServices()
    const spec = await createSpec(`export async function runEveryMinute() {
      const body = Buffer.alloc(1024 * 1024, 120)
      for (let i = 0; i < 5; i++) fetch('http://127.0.0.1:${port}', { method: 'POST', body })
      console.log(await (await fetch('${origin}')).text())
    }`)
    const cancel = new AbortController()

    const running = run(runtime, spec, services, undefined, cancel.signal)
    await eventually(() => services.messages().length > 0)
    cancel.abort()
    await running

    expect(services.messages()[0]).toBe('fine')
  })
})

describe('uploads that are read', () => {
  it('all arrive, even if they exceed the buffer of the server', async () => {
    const { origin, requests } = await startServer((_, response) => response.end())

    const { outcome } = await runBody(
      `const sizes = [0, 1, 300_000, 1024 * 1024, 2_500_000]
       async function* parts() { for (let i = 0; i < 20; i++) yield 'y'.repeat(100_000) }
       await Promise.all([
         ...sizes.flatMap((size) => [size, size]).map((size) => fetch('${origin}', { method: 'POST', body: 'x'.repeat(size) })),
         fetch('${origin}', { method: 'POST', body: parts() }),
         fetch('${origin}', { method: 'POST', body: (async function* () {})() }),
       ])`,
      { allowedHosts, limits: { maxUploadBytes: MIB } },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(requests.map(({ body }) => body.length).sort((a, b) => a - b)).toEqual([
      ...[0, 0, 0, 1, 1, 300_000, 300_000, MIB, MIB, 2_000_000, 2_500_000, 2_500_000],
    ])
  })
})

describe('calls that an app does not await', () => {
  it('wait in the app in order and are all served', async () => {
    const { outcome, stored } = await runBody(
      `for (let i = 0; i < 3000; i++) meta.storage.set('last', i)
       await meta.storage.set('big', 'x'.repeat(400_000))`,
      { limits: { callsPerSecond: 1e6 } },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect([stored.get('last'), stored.get('big')?.length]).toEqual(['2999', 400_002])
  })

  it('keep their original arguments', async () => {
    const { queued } = await runBody(
      `const payload = { n: 0 }
       for (; payload.n < 1500; payload.n++) meta.jobs.next(payload).runNow()`,
      { limits: { callsPerSecond: 1e6 } },
    )

    expect(queued.map(({ payload }) => payload)).toEqual(
      Array.from({ length: 1500 }, (_, n) => ({ n })),
    )
  })
})
