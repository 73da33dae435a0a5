import type { Target, TargetInput } from '#server/features/notifications/deliveries/schema.ts'

/** A recipient in a form: one address of either type. */
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

export const findAddressProblem = (address: string): string | null =>
  address.trim() === '' ? 'Enter an address.' : null
