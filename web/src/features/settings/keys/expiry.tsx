import { Select, type SelectProps } from '@mantine/core'
import dayjs from 'dayjs'
import type { PersonalApiKey } from '#server/features/people/api-keys/schema.ts'

const SPANS = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
]

interface ExpiryInputProps extends Omit<SelectProps, 'data'> {
  /** The key that is changed. */
  readonly current: PersonalApiKey | undefined
}

export function ExpiryInput({ current, ...props }: ExpiryInputProps) {
  const kept = current?.expires_at ? dayjs(current.expires_at).format('D MMM YYYY, HH:mm') : 'Never'
  return (
    <Select
      label="Ends"
      description="A key that ends by itself does no harm when it is forgotten."
      allowDeselect={false}
      data={[...(current ? [{ value: 'keep', label: `As it is: ${kept}` }] : []), ...SPANS]}
      {...props}
    />
  )
}

/** What to send; nothing if it stays as it is. */
export function toExpiry(choice: string): { expires_at?: string | null } {
  if (choice === 'keep') return {}
  return {
    expires_at: choice === 'never' ? null : dayjs().add(Number(choice), 'day').toISOString(),
  }
}
