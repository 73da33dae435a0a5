import type { Target, TargetInput } from '#server/features/notifications/deliveries/schema.ts'

/** Where something is sent, as a form holds it: one address, of whichever kind. */
export interface TargetValues {
  readonly type: Target['type']
  readonly address: string
}

export const toTargetValues = (target: Target): TargetValues => ({
  type: target.type,
  address: target.type === 'webhook' ? target.url : target.address,
})

export const toTarget = ({ type, address }: TargetValues): TargetInput =>
  type === 'webhook' ? { type, url: address.trim() } : { type, address: address.trim() }

export const requireAddress = (address: string): string | null =>
  address.trim() === '' ? 'Where shall it be sent?' : null
