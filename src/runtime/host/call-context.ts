import type { Egress } from '#server/egress/egress.ts'
import type { AppSpec } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { RunState } from './run-state.ts'
import type { HostStreams } from './streams.ts'

/** The context of one call. The caller's identity comes from its process, never from a message. */
export interface CallContext {
  readonly spec: AppSpec
  readonly limits: Limits
  readonly egress: Egress
  readonly streams: HostStreams
  readonly run: RunState
  /** The call's ID, which is also the stream of the response's body, if it has one. */
  readonly stream: number
}
