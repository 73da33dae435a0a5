import { EgressError } from '#server/egress/egress-error.ts'
import { AppProblem } from '../contract.ts'
import type { CallError } from '../process/protocol.ts'

/** An error that the app gets thrown under this name, because of its arguments or of a remote server. */
export class CallFailure extends AppProblem {
  readonly type: string | undefined
  readonly code: string | undefined

  constructor(name: CallError['name'], message: string, type?: string, code?: string) {
    super(message)
    this.name = name
    this.type = type
    this.code = code
  }
}

export const fetchError = (message: string, type?: string, code?: string): CallFailure =>
  new CallFailure('FetchError', message, type, code)

/** Returns undefined for an error that is neither the app's nor a remote server's fault, but the service's. */
export function toCallError(error: unknown): CallError | undefined {
  if (error instanceof CallFailure) {
    const { name, message, type, code } = error
    return { name, message, type, code }
  }
  if (error instanceof EgressError) {
    const { message, type, code } = error
    const name = error.kind === 'invalid-argument' ? 'TypeError' : 'FetchError'
    return { name, message, type, code }
  }
  if (error instanceof AppProblem) return { name: 'Error', message: error.message }
  return undefined
}
