import type {
  Target,
  TargetInput,
  WebhookFormat,
} from '#server/features/notifications/deliveries/schema.ts'

/** A recipient in a form: one address of either type. */
export interface TargetValues {
  readonly type: Target['type']
  readonly address: string
  /** Chooses the body of a webhook; empty for the format of its host. */
  readonly format: WebhookFormat | ''
}

export const NEW_TARGET: TargetValues = { type: 'webhook', address: '', format: '' }

export const toTargetValues = (target: Target): TargetValues => ({
  type: target.type,
  address: target.type === 'webhook' ? target.url : target.address,
  format: target.type === 'webhook' ? (target.format ?? 'json') : '',
})

export const toTarget = ({ type, address, format }: TargetValues): TargetInput =>
  type === 'webhook'
    ? { type, url: address.trim(), ...(format && { format }) }
    : { type, address: address.trim() }

export const findAddressProblem = (address: string): string | null =>
  address.trim() === '' ? 'Enter an address.' : null
