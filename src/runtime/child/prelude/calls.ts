import type { CallReply, FromApp } from '#server/runtime/process/protocol.ts'
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
  /** Resolves when every call made so far has its reply. */
  waitForAll(): Promise<unknown>
}

export function createCalls(send: (message: FromApp) => void): Calls {
  const pending = new Map<number, PendingCall>()
  const promises = new Set<Promise<unknown>>()
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
    send({ t: 'call', id, name, args })
    return waitForReply(id) as Promise<T>
  }

  return {
    nextId,
    waitForReply,
    callAs,
    call: (name, ...args) => callAs(nextId(), name, ...args),
    receive: (reply) => {
      const call = pending.get(reply.id)
      pending.delete(reply.id)
      if (reply.t === 'reply') call?.resolve(reply.value)
      else call?.reject(fromCallError(reply.error))
    },
    waitForAll: () => Promise.allSettled([...promises]),
  }
}
