import type { Host } from '../host/host.ts'
import type { Limits } from '../limits.ts'
import type { Channel } from './channel.ts'
import { BrokenFrame } from './frames.ts'
import { FRAME, type FromApp } from './protocol.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Rpc } from './rpc.ts'
import { readMessage } from './validate-message.ts'
import type { Watchdog } from './watchdog.ts'

/** Messages are counted as calls, large ones as many: reading them is the parent's work. */
const BYTES_PER_CALL = 16 * 1024

export interface InboxOptions {
  readonly channel: Channel
  readonly conversation: Rpc
  readonly host: Host
  readonly limits: Limits
  readonly watch: Watchdog
  onReady(): void
}

/** Where every frame of a process goes. Throws a `BrokenFrame`. */
export function createInbox(options: InboxOptions): (kind: number, content: Buffer) => void {
  const { channel, conversation, host, limits, watch } = options
  const rate = createRateLimit(limits.callsPerSecond)

  function slowDown(cost: number): void {
    const wait = rate(cost)
    if (wait === 0) return
    channel.hold()
    setTimeout(channel.release, wait)
  }

  function handle(message: FromApp) {
    switch (message.t) {
      case 'ready':
        return options.onReady()
      case 'call':
        void host.call(message).then(watch.active)
        return
      case 'result':
      case 'failure':
        return conversation.receive(message)
      case 'log':
      case 'problem':
      case 'progress':
        return host.tell(message)
      default:
        return host.streams.control(message)
    }
  }

  return (kind, content) => {
    if (kind === FRAME.ping) return watch.answered(content)
    watch.active()
    if (kind === FRAME.bytes) return host.streams.receive(content)
    if (kind === FRAME.capture) return host.capture(content)
    if (kind !== FRAME.control) throw new BrokenFrame('an unknown frame')
    slowDown(1 + content.length / BYTES_PER_CALL)
    handle(readMessage(content))
  }
}
