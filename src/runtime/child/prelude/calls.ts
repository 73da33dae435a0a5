import {
  type CallReply,
  type FromApp,
  MAX_PENDING_CALL_BYTES,
  MAX_PENDING_CALLS,
} from '#server/runtime/wire/protocol.ts'
import { fromCallError } from './errors.ts'

interface PendingCall {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Calls of the app to the host, and the replies. */
export interface Calls {
  call<T = unknown>(name: string, ...args: unknown[]): Promise<T>
  /** Calls with an ID from `nextId` that is also the ID of a stream. */
  callAs<T = unknown>(id: number, name: string, ...args: unknown[]): Promise<T>
  /** Waits for the reply to a message that was sent another way. */
  waitForReply(id: number): Promise<unknown>
  nextId(): number
  receive(reply: CallReply): void
  /** Tells whether a call waits for its reply. */
  hasPending(): boolean
  /** Resolves when every call made so far has its reply. */
  waitForAll(): Promise<unknown>
}

export interface CallTools {
  toText(message: FromApp): string
  /** Returns the number of bytes sent. Throws if there are too many. */
  sendText(text: string): number
}

export function createCalls({ toText, sendText }: CallTools): Calls {
  const pending = new Map<number, PendingCall>()
  const promises = new Set<Promise<unknown>>()
  /** Calls that the host has no room for yet, as texts: the app may change the arguments meanwhile. */
  const unsent = new Map<number, string>()
  /** The sizes of calls without a reply. */
  const sent = new Map<number, number>()
  let sentBytes = 0
  let lastId = 0

  const nextId = () => {
    lastId += 1
    return lastId
  }

  const waitForReply = (id: number): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    pending.set(id, { resolve, reject })
    promises.add(promise)
    const done = () => promises.delete(promise)
    promise.then(done, done)
    return promise
  }

  const callAs = <T>(id: number, name: string, ...args: unknown[]): Promise<T> => {
    const text = toText({ t: 'call', id, name, args })
    const reply = waitForReply(id) as Promise<T>
    unsent.set(id, text)
    sendUnsent()
    return reply
  }

  function sendUnsent(): void {
    for (const [id, text] of unsent) {
      if (sent.size >= MAX_PENDING_CALLS || sentBytes >= MAX_PENDING_CALL_BYTES) return
      unsent.delete(id)
      try {
        const bytes = sendText(text)
        sent.set(id, bytes)
        sentBytes += bytes
      } catch (error) {
        pending.get(id)?.reject(error as Error)
        pending.delete(id)
      }
    }
  }

  return {
    nextId,
    waitForReply,
    callAs,
    call: (name, ...args) => callAs(nextId(), name, ...args),
    receive: (reply) => {
      const call = pending.get(reply.id)
      pending.delete(reply.id)
      sentBytes -= sent.get(reply.id) ?? 0
      sent.delete(reply.id)
      sendUnsent()
      if (reply.t === 'reply') call?.resolve(reply.value)
      else call?.reject(fromCallError(reply.error))
    },
    hasPending: () => promises.size > 0,
    waitForAll: () => Promise.allSettled([...promises]),
  }
}
