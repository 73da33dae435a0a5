import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Target } from './abuse-load.ts'
import { benchEvents } from './events-data.ts'

const MIB = 1024 * 1024
const MAX_BODY = 20 * MIB
const MAX_EVENTS = 10_000

/** Posts the same body on several connections, at least once and until the time is up. */
async function post(
  { url }: Target,
  body: Uint8Array<ArrayBuffer>,
  connections: number,
  ms: number,
): Promise<void> {
  const end = performance.now() + ms
  const send = async () => {
    do {
      const response = await fetch(`${url}/batch`, { method: 'POST', body }).catch(() => undefined)
      await response?.arrayBuffer().catch(() => {}) // refused clients may be disconnected
    } while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: connections }, send))
}

/** Sends 20 KB without a token that unpack to 20 MiB of empty events. */
export function sendEmptyEvents(server: Target): Promise<void> {
  const text = `[${'{},'.repeat(MAX_BODY / 3 - 1)}{}]`
  return post(server, new Uint8Array(gzipSync(text)), 8, 4000)
}

/** Sends the largest legal request once. Further ones fill the memory that the event store may use anyway. */
export function sendLargestBatch(server: Target): Promise<void> {
  const padding = 'x'.repeat(1600)
  const batch = benchEvents(MAX_EVENTS).map((event) => ({
    ...event,
    properties: { ...event.properties, padding },
  }))
  return postText(server, JSON.stringify({ api_key: server.token, batch }), 0)
}

/** Sends as many events as fit in the largest body, which are more than one request may have. */
export function sendTooManyEvents(server: Target): Promise<void> {
  const events = '{"event":"a","distinct_id":"b"},'.repeat(650_000)
  return postText(server, `{"api_key":"${server.token}","batch":[${events.slice(0, -1)}]}`, 3000)
}

const postText = (server: Target, text: string, ms: number): Promise<void> =>
  post(server, new Uint8Array(Buffer.from(text)), 1, ms)

/** Opens 500 connections that send the head and part of a body at once and the rest byte by byte. */
export async function sendSlowly({ url, token }: Target): Promise<void> {
  const { hostname, port } = new URL(url)
  const begin = `{"api_key":"${token}","batch":[{"event":"a","distinct_id":"`
  const head = `POST /batch HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: ${MAX_BODY}\r\n\r\n`
  const sockets = Array.from({ length: 500 }, () => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {})
    socket.write(head + begin)
    socket.write(Buffer.alloc(100_000, 'x'))
    return socket
  })
  const end = performance.now() + 4000
  while (performance.now() < end) {
    for (const socket of sockets) if (socket.writable && !socket.writableLength) socket.write('x')
    await wait(100)
  }
  await Promise.all(
    sockets.map(async (socket) => {
      if (socket.destroyed) return
      const closed = once(socket, 'close')
      socket.destroy()
      await closed
    }),
  )
}
