import type { Host } from '../host/host.ts'
import type { Limits } from '../limits.ts'
import type { Channel } from './channel.ts'
import { BrokenFrame } from './frames.ts'
import { FRAME, type FromApp } from './protocol.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Rpc } from './rpc.ts'
import { readMessage } from './validate-message.ts'
import type { Watchdog } from './watchdog.ts'

/** A large message costs as much as several calls, because the host has to parse it. */
const BYTES_PER_CALL = 16 * 1024

export interface InboxOptions {
  readonly channel: Channel
  readonly rpc: Rpc
  readonly host: Host
  readonly limits: Limits
  readonly watchdog: Watchdog
  onReady(): void
}

/** Dispatches every frame of a process. Throws a `BrokenFrame`. */
export function createInbox(options: InboxOptions): (kind: number, content: Buffer) => void {
  const { channel, rpc, host, limits, watchdog } = options
  const rateLimit = createRateLimit(limits.callsPerSecond)

  function throttle(cost: number): void {
    const delay = rateLimit(cost)
    if (delay === 0) return
    channel.pause()
    setTimeout(channel.resume, delay)
  }

  function dispatch(message: FromApp, bytes: number) {
    switch (message.t) {
      case 'ready':
        return options.onReady()
      case 'call':
        void host.handleCall(message, bytes).then(watchdog.recordActivity)
        return
      case 'result':
      case 'failure':
        return rpc.receive(message)
      case 'log':
      case 'uncaught':
      case 'progress':
        return host.handleReport(message)
      default:
        return host.streams.control(message)
    }
  }

  return (kind, content) => {
    if (kind === FRAME.ping) return watchdog.receivePong(content)
    watchdog.recordActivity()
    if (kind === FRAME.bytes) return host.streams.receive(content)
    if (kind === FRAME.capture) return host.handleCaptures(content)
    if (kind !== FRAME.control) throw new BrokenFrame('an unknown frame')
    throttle(1 + content.length / BYTES_PER_CALL)
    dispatch(readMessage(content), content.length)
  }
}
