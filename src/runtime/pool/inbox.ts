import type { Host } from '../host/host.ts'
import { toFrameCost } from '../process/rate-limit.ts'
import type { Rpc } from '../process/rpc.ts'
import type { Watchdog } from '../process/watchdog.ts'
import { BrokenFrame } from '../wire/frames.ts'
import { FRAME, type FromApp } from '../wire/protocol.ts'
import { readMessage } from '../wire/validate-message.ts'

export interface InboxOptions {
  readonly rpc: Rpc
  readonly host: Host
  readonly watchdog: Watchdog
  throttle(cost: number): void
  onReady(): void
}

/** Dispatches every frame of a process. Throws a `BrokenFrame`. */
export function createInbox(options: InboxOptions): (kind: number, content: Buffer) => void {
  const { rpc, host, watchdog, throttle } = options

  function dispatch(message: FromApp, bytes: number) {
    switch (message.t) {
      case 'ready':
        return options.onReady()
      case 'started':
        return host.handleStarted()
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
    throttle(toFrameCost(kind, content.length))
    if (kind === FRAME.ping) return watchdog.receivePong(content)
    watchdog.recordActivity()
    if (kind === FRAME.bytes) return host.streams.receive(content)
    if (kind === FRAME.capture) return host.handleCaptures(content)
    if (kind !== FRAME.control) throw new BrokenFrame('an unknown frame')
    dispatch(readMessage(content), content.length)
  }
}
