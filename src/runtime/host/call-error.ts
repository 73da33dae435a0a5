import { AppProblem } from '../contract.ts'
import type { CallError } from '../process/protocol.ts'

/** What an app gets thrown for a call that it could have made better, or that the world refused. */
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

/** undefined: not the app's doing, nor the world's, but the service's. */
export function toCallError(error: unknown): CallError | undefined {
  if (error instanceof CallFailure) {
    const { name, message, type, code } = error
    return { name, message, type, code }
  }
  if (error instanceof AppProblem) return { name: 'Error', message: error.message }
  return undefined
}
