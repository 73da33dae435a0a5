import type { Egress } from '#server/egress/egress.ts'
import type { AppSpec } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { RunState } from './run-state.ts'
import type { Streams } from './streams.ts'

/** What answering one call of an app takes. Who asks is known from the process, never from what it says. */
export interface CallContext {
  readonly spec: AppSpec
  readonly limits: Limits
  readonly egress: Egress
  readonly streams: Streams
  readonly run: RunState
  readonly mask: (text: string) => string
  /** The call's own id, under which a body flows if the answer has one. */
  readonly stream: number
}
