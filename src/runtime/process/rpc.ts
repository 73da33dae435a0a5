import { Failure } from '../failure.ts'
import { BrokenFrame } from '../wire/frames.ts'
import type { AppError, RpcRequest, RpcResponse, ToApp } from '../wire/protocol.ts'

interface PendingRequest {
  readonly onResponse: () => void
  readonly resolve: (value: unknown) => void
  readonly reject: (failure: Failure) => void
}

/** Sends requests of the host to a process and matches the responses. */
export interface Rpc {
  /**
   * Throws a `Failure`: the app's own, or the reason why the process is gone. Calls `onResponse` before the process's
   * next message is read.
   */
  request(request: RpcRequest, onResponse?: () => void): Promise<unknown>
  receive(response: RpcResponse): void
  /** Fails every pending and later request. Returns whether any was pending. */
  close(failure: Failure): boolean
}

export function toFailure({ name, message, stack, retry, temporary }: AppError): Failure {
  const text = name === 'Error' ? message || name : `${name}: ${message}`
  return new Failure('app', text, { retry, temporary, appStack: stack })
}

export function createRpc(send: (message: ToApp) => void): Rpc {
  const pending = new Map<number, PendingRequest>()
  let closed: Failure | undefined
  let lastId = 0

  return {
    request(request, onResponse = () => {}) {
      if (closed) return Promise.reject(closed)
      lastId += 1
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      pending.set(lastId, { onResponse, resolve, reject })
      send({ ...request, id: lastId })
      return promise
    },
    receive(response) {
      const request = pending.get(response.id)
      if (!request) throw new BrokenFrame('a response without a request')
      pending.delete(response.id)
      request.onResponse()
      if (response.t === 'result') return request.resolve(response.value)
      request.reject(toFailure(response.error))
    },
    close(failure) {
      closed = failure
      const wasPending = pending.size > 0
      for (const { reject } of pending.values()) reject(failure)
      pending.clear()
      return wasPending
    },
  }
}
