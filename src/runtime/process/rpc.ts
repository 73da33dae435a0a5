import { Failure } from '../failure.ts'
import { BrokenFrame } from './frames.ts'
import type { FromApp } from './protocol.ts'

type Answer = Extract<FromApp, { t: 'result' | 'failure' }>

interface Asked {
  readonly resolve: (value: unknown) => void
  readonly reject: (failure: Failure) => void
}

/** What the parent asks of a process, and the answers. */
export interface Rpc {
  /** Throws a `Failure`: the app's own, or why the process is gone. */
  request(send: (id: number) => void): Promise<unknown>
  receive(answer: Answer): void
  /** Everything that is or will be asked fails with this. Whether anything was. */
  close(failure: Failure): boolean
}

export function createRpc(): Rpc {
  const open = new Map<number, Asked>()
  let closed: Failure | undefined
  let last = 0

  return {
    request(send) {
      if (closed) return Promise.reject(closed)
      last += 1
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      open.set(last, { resolve, reject })
      send(last)
      return promise
    },
    receive(answer) {
      const asked = open.get(answer.id)
      if (!asked) throw new BrokenFrame('an answer to nothing')
      open.delete(answer.id)
      if (answer.t === 'result') return asked.resolve(answer.value)
      const { name, message, stack, retry } = answer.error
      const text = name === 'Error' ? message || name : `${name}: ${message}`
      asked.reject(new Failure('app', text, { retry, appStack: stack }))
    },
    close(failure) {
      closed = failure
      const wasAsked = open.size > 0
      for (const { reject } of open.values()) reject(failure)
      open.clear()
      return wasAsked
    },
  }
}
