import { Type } from 'typebox'
import type { Refresh } from './results.ts'

/** As clients say it. */
const MODES = {
  force_cache: { when: 'never', wait: false },
  false: { when: 'never', wait: false },
  async: { when: 'stale', wait: false },
  lazy_async: { when: 'old', wait: false },
  async_except_on_cache_miss: { when: 'stale', wait: true },
  force_async: { when: 'always', wait: false },
  blocking: { when: 'stale', wait: true },
  true: { when: 'stale', wait: true },
  force_blocking: { when: 'always', wait: true },
} as const satisfies Record<string, Refresh>

export type RefreshMode = keyof typeof MODES

const values = Object.keys(MODES) as RefreshMode[]

const description =
  'Whether to compute what is out of date: `force_cache` never, `lazy_async`, as if nothing is said, and `async` meanwhile, `blocking` before answering; `force_async` and `force_blocking` even if nothing has changed.'

export const RefreshParameter = Type.Unsafe<RefreshMode>({
  type: 'string',
  enum: values,
  description,
})

/** In a body `true` and `false` may be booleans. */
export const RefreshInBody = Type.Unsafe<RefreshMode | boolean | null>({
  enum: [...values, true, false, null],
  description,
})

export const toRefresh = (mode: RefreshMode | boolean): Refresh =>
  MODES[String(mode) as RefreshMode]
