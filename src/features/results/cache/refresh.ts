import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Requester, toRequester } from '#server/access/requester.ts'

/** When to recompute a result, and whether the request waits for it. `stale-and-old` keeps recent results. */
export interface RefreshPolicy {
  readonly when: 'never' | 'stale-and-old' | 'stale' | 'always'
  readonly wait: boolean
  /** None if the server computes for itself. Watches the client only if the request waits. */
  readonly requester?: (Pick<Requester, 'key'> & Partial<Requester>) | undefined
}

/** The wire's names. */
const MODES = {
  force_cache: { when: 'never', wait: false },
  false: { when: 'never', wait: false },
  async: { when: 'stale', wait: false },
  lazy_async: { when: 'stale-and-old', wait: false },
  async_except_on_cache_miss: { when: 'stale', wait: true },
  force_async: { when: 'always', wait: false },
  blocking: { when: 'stale', wait: true },
  true: { when: 'stale', wait: true },
  force_blocking: { when: 'always', wait: true },
} as const satisfies Record<string, RefreshPolicy>

export type RefreshMode = keyof typeof MODES

const values = Object.keys(MODES) as RefreshMode[]

const description =
  'Whether to compute a stale result: `force_cache` never; `lazy_async` (the default) and `async` in the background; `blocking` before responding. `force_async` and `force_blocking` compute even a fresh result.'

export const RefreshParameter = Type.Unsafe<RefreshMode>({
  title: 'RefreshMode',
  type: 'string',
  enum: values,
  description,
})

/** Bodies may also send booleans, which code generators cannot combine with an enum of strings. */
export const RefreshInBody = Type.Unsafe<RefreshMode | boolean | null>({
  enum: [...values, true, false, null],
  documented: Type.Union([RefreshParameter, Type.Boolean(), Type.Null()], { description }),
})

export const toRefreshPolicy = (
  mode: RefreshMode | boolean,
  requester?: Requester,
): RefreshPolicy => ({ ...MODES[String(mode) as RefreshMode], requester })

export function toRequestPolicy(
  mode: RefreshMode,
  request: Pick<FastifyRequest, 'principal'>,
  reply: FastifyReply,
): RefreshPolicy {
  const policy = MODES[mode]
  const requester = policy.wait ? toRequester(request, reply) : { key: request.principal.keyId }
  return { ...policy, requester }
}
