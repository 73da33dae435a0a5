import { FRAME } from '../wire/protocol.ts'
import type { Channel } from './channel.ts'

/** A large message costs as much as several calls, because the host has to parse or write it. */
const BYTES_PER_CALL = 16 * 1024
/** Events and chunks are sent in bulk, and cost less than calls. */
const BULK_BYTES_PER_CALL = 64 * 1024
const MIN_BULK_BYTES = 1024

/** Returns what a frame costs, in calls. */
export const toFrameCost = (kind: number, bytes: number): number =>
  kind === FRAME.bytes || kind === FRAME.capture
    ? Math.max(bytes, MIN_BULK_BYTES) / BULK_BYTES_PER_CALL
    : 1 + bytes / BYTES_PER_CALL

/** Slows a process down that exceeds its calls per second: the host stops reading from it for a while. */
export function createBrake(
  channel: Pick<Channel, 'pause' | 'resume'>,
  callsPerSecond: number,
): (cost: number) => void {
  const rateLimit = createRateLimit(callsPerSecond)
  return (cost) => {
    const delay = rateLimit(cost)
    if (delay === 0) return
    channel.pause()
    setTimeout(channel.resume, delay)
  }
}

/** Returns the delay in ms before the next action of this cost. 0 means none. */
export type RateLimit = (cost: number) => number

/** Creates a token bucket: a burst of one second's tokens, refilled at `perSecond`. */
export function createRateLimit(
  perSecond: number,
  now: () => number = () => performance.now(),
): RateLimit {
  let tokens = perSecond
  let last = now()
  return (cost) => {
    const time = now()
    tokens = Math.min(perSecond, tokens + ((time - last) / 1000) * perSecond) - cost
    last = time
    return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000
  }
}
