import type { FromApp, ToApp } from '#server/runtime/process/protocol.ts'
import { fromCallError } from './errors.ts'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

type Answer = Extract<ToApp, { t: 'reply' | 'refuse' }>

/** What the app asks of the parent, and the answers. */
export interface Calls {
  call<T = unknown>(name: string, ...args: unknown[]): Promise<T>
  /** With an id of `nextId`, which a stream has too. */
  callAs<T = unknown>(id: number, name: string, ...args: unknown[]): Promise<T>
  /** The answer to something that was sent another way. */
  expect(id: number): Promise<unknown>
  nextId(): number
  settle(answer: Answer): void
  /** Until everything that was asked up to now is answered. */
  settled(): Promise<unknown>
}

export function createCalls(send: (message: FromApp) => void): Calls {
  const waiting = new Map<number, Waiting>()
  const underway = new Set<Promise<unknown>>()
  let last = 0

  const nextId = () => {
    last += 1
    return last
  }

  const expect = (id: number): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    underway.add(promise)
    const done = () => underway.delete(promise)
    promise.then(done, done)
    return promise
  }

  const callAs = <T>(id: number, name: string, ...args: unknown[]): Promise<T> => {
    send({ t: 'call', id, name, args })
    return expect(id) as Promise<T>
  }

  return {
    nextId,
    expect,
    callAs,
    call: (name, ...args) => callAs(nextId(), name, ...args),
    settle: (answer) => {
      const call = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (answer.t === 'reply') call?.resolve(answer.value)
      else call?.reject(fromCallError(answer.error))
    },
    settled: () => Promise.allSettled([...underway]),
  }
}
