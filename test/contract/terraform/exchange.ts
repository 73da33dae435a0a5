import type { SHAPES } from './shapes.ts'

/** One request of the provider, and the state that Terraform stores from its response. */
export interface Exchange {
  /** The command or phase of Terraform. */
  readonly step: 'prepare' | 'apply' | 'refresh' | 'update' | 'import' | 'destroy' | 'gone'
  /** Method and path; `$name` stands for a saved value, here and in bodies and states. */
  readonly send: string
  readonly body?: unknown
  /** 200, or 201 for a POST. */
  readonly status?: number
  readonly reads?: keyof typeof SHAPES
  readonly state?: unknown
  /** Values to save, by name: paths into the response, such as `tiles.0.id`. */
  readonly saves?: Readonly<Record<string, string>>
}

/** Plan, apply and refresh of an unchanged resource send the same request. */
export const refresh = ({ send, reads, state }: Omit<Exchange, 'step'>): Exchange[] => [
  { step: 'refresh', send, ...(reads && { reads }), state },
  { step: 'import', send, ...(reads && { reads }), state },
]
