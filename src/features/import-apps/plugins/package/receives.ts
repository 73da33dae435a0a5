/** The part `receives` of an app's plugin.json: which requests of other services it takes, and how they are verified. */

export const VERIFY_KINDS = [
  'stripe',
  'github',
  'slack',
  'shopify',
  'standard-webhooks',
  'hmac-sha256',
  'basic',
  'token',
  'none',
] as const
export type VerifyKind = (typeof VERIFY_KINDS)[number]

export const METHODS = ['GET', 'POST', 'PUT'] as const
export type Method = (typeof METHODS)[number]

/** The largest body that an app can take. */
export const MAX_BODY_BYTES = 1024 * 1024

export interface Receives {
  readonly methods: readonly Method[]
  readonly verify: {
    /** A kind, or the setting that chooses it. */
    readonly kind: VerifyKind | { readonly setting: string }
    /** The setting that holds the secret. */
    readonly secret?: string
    /** The header of the signature or token, or the setting that names it; each kind has a default. */
    readonly header?: string | { readonly setting: string }
  }
  /** The header with the sender's ID of a delivery; each kind has a default. */
  readonly id_header?: string
  readonly max_body: number
  readonly respond: { readonly status: number; readonly body: string }
}

export const DEFAULT_RECEIVES: Receives = {
  methods: ['POST'],
  verify: { kind: 'none' },
  max_body: MAX_BODY_BYTES,
  respond: { status: 200, body: '{"status":"ok"}' },
}
