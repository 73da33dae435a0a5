import { AppProblem } from '../contract.ts'
import type { CallError } from '../process/protocol.ts'

/** What an app gets thrown for a call that it could have made better, or that the world refused. */
export class CallProblem extends AppProblem {
  readonly type: string | undefined
  readonly code: string | undefined

  constructor(name: CallError['name'], message: string, type?: string, code?: string) {
    super(message)
    this.name = name
    this.type = type
    this.code = code
  }
}

export const fetchProblem = (message: string, type?: string, code?: string): CallProblem =>
  new CallProblem('FetchError', message, type, code)

/** undefined: not the app's doing, nor the world's, but the service's. */
export function toCallError(error: unknown): CallError | undefined {
  if (error instanceof CallProblem) {
    const { name, message, type, code } = error
    return { name, message, type, code }
  }
  if (error instanceof AppProblem) return { name: 'Error', message: error.message }
  return undefined
}
