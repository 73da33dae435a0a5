import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createPacketReader, toPackets } from './packets.ts'

/** Packets over a socket, one side at a time. */
export interface Wire {
  send(content: Buffer): void
  /** Starts a command, whose packets are counted from 0. */
  command(content: Buffer): void
  receive(): Promise<Buffer>
  encrypt(options: {
    readonly servername: string
    readonly rejectUnauthorized: boolean
  }): Promise<void>
  destroy(error?: Error): void
}

/** The socket is paused while this many packets wait, so a result never fills the memory. */
const MAX_WAITING = 1000

export function createWire(first: Socket, maxBytes: number): Wire {
  let socket = first
  let packets = createPacketReader(maxBytes)
  let sequence = 0
  let failure: Error | undefined
  const waiting: Buffer[] = []
  let receiver: PromiseWithResolvers<Buffer> | undefined

  const fail = (error: Error) => {
    failure ??= error
    receiver?.reject(failure)
    receiver = undefined
    socket.destroy()
  }

  const onData = (chunk: Buffer) => {
    try {
      for (const packet of packets.push(chunk)) {
        sequence = (packet.sequence + 1) & 0xff
        if (receiver) {
          receiver.resolve(packet.content)
          receiver = undefined
        } else waiting.push(packet.content)
      }
    } catch (error) {
      fail(error as Error)
    }
    if (waiting.length > MAX_WAITING) socket.pause()
  }

  const onClose = () => fail(lost())

  const listen = () => {
    socket.on('data', onData)
    socket.on('error', fail)
    socket.on('close', onClose)
  }
  listen()

  return {
    send(content) {
      socket.write(toPackets(content, sequence))
      sequence = (sequence + 1) & 0xff
    },
    command(content) {
      sequence = 0
      socket.write(toPackets(content, 0))
    },
    async receive() {
      const next = waiting.shift()
      if (next) {
        if (waiting.length === 0) socket.resume()
        return next
      }
      if (failure) throw failure
      receiver = Promise.withResolvers()
      return receiver.promise
    },
    async encrypt({ servername, rejectUnauthorized }) {
      // nothing that came in the clear may count as encrypted
      if (waiting.length > 0 || packets.hasRest()) throw new Error('the server sent too much')
      const plain = socket
      plain.off('data', onData).off('close', onClose)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const named = /^[\d.]+$|:/.test(servername) ? {} : { servername }
      const encrypted = connectTls({ socket: plain, ...named, rejectUnauthorized }, resolve)
      encrypted.once('error', reject).once('close', () => reject(lost()))
      socket = encrypted
      packets = createPacketReader(maxBytes)
      await promise
      listen()
    },
    destroy: (error = lost()) => fail(error),
  }
}

const lost = (): Error =>
  Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
