import { EgressError } from '#server/egress/egress-error.ts'
import { AppProblem } from '../contract.ts'
import type { CallError } from '../wire/protocol.ts'

/** An error that the app gets thrown under this name, because of its arguments or of a remote server. */
export class CallFailure extends AppProblem {
  readonly type: string | undefined
  readonly code: string | undefined
  /** Whether the same call may succeed later. */
  readonly isTemporary: boolean

  constructor(
    name: CallError['name'],
    message: string,
    { type, code, isTemporary = false }: Omit<CallError, 'name' | 'message'> = {},
  ) {
    super(message)
    this.name = name
    this.type = type
    this.code = code
    this.isTemporary = isTemporary
  }
}

export const fetchError = (message: string, type?: string): CallFailure =>
  new CallFailure('FetchError', message, { type })

/** Returns undefined for an error that is neither the app's nor a remote server's fault, but the service's. */
export function toCallError(error: unknown): CallError | undefined {
  if (error instanceof CallFailure) {
    const { name, message, type, code, isTemporary } = error
    return { name, message, type, code, isTemporary }
  }
  if (error instanceof EgressError) {
    const { message, type, code, isTemporary } = error
    const name = error.kind === 'invalid-argument' ? 'TypeError' : 'FetchError'
    return { name, message, type, code, isTemporary }
  }
  if (error instanceof AppProblem) return { name: 'Error', message: error.message }
  return undefined
}
