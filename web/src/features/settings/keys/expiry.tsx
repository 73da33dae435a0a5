import dayjs from 'dayjs'
import type { PersonalApiKey } from '#server/features/accounts/api-keys/schema.ts'
import { Choice, type ChoiceProps } from '../../../ui/form/choice.tsx'
import { useZone } from '../../../ui/page/zone.ts'
import { toZonedDay } from '../../../ui/page/zoned-day.ts'

const SPANS = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'never', label: 'Never' },
]

interface ExpiryInputProps extends Omit<ChoiceProps, 'data'> {
  /** The key being edited. */
  readonly current: PersonalApiKey | undefined
}

export function ExpiryInput({ current, ...props }: ExpiryInputProps) {
  const zone = useZone()
  const kept = current?.expires_at
    ? toZonedDay(current.expires_at, zone).format('D MMM YYYY, HH:mm')
    : 'Never'
  return (
    <Choice
      label="Expires"
      description="Keys that expire are safer."
      data={[...(current ? [{ value: 'keep', label: `Keep: ${kept}` }] : []), ...SPANS]}
      {...props}
    />
  )
}

/** Returns the patch to send; empty to keep the expiry. */
export function toExpiry(choice: string): { expires_at?: string | null } {
  if (choice === 'keep') return {}
  return {
    expires_at: choice === 'never' ? null : dayjs().add(Number(choice), 'day').toISOString(),
  }
}
