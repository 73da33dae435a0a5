export type EgressErrorKind =
  | 'private-address'
  | 'unknown-host'
  | 'invalid-argument'
  | 'redirect'
  | 'certificate'
  | 'too-large'
  | 'network'

/** Why a request did not leave or got no whole response. The messages are node-fetch's, because apps check them. */
export class EgressError extends Error {
  readonly kind: EgressErrorKind
  /** node-fetch's `type`, for example `max-redirect`. */
  readonly type: string | undefined
  /** The system's error code, for example `ECONNREFUSED`. */
  readonly code: string | undefined

  constructor(
    kind: EgressErrorKind,
    message: string,
    { type, code }: { type?: string; code?: string } = {},
  ) {
    super(message)
    this.name = 'EgressError'
    this.kind = kind
    this.type = type
    this.code = code
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.kind === 'network'
  }
}

export const privateAddress = (hostname: string): EgressError =>
  new EgressError('private-address', `Internal hostname: ${hostname}`)
