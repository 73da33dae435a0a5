import { Stack, TextInput, Title } from '@mantine/core'
import { Card } from '../../../ui/page/card.tsx'
import { MappingPills } from '../requests/mapping-pills.tsx'
import type { Draft } from './draft.ts'
import { ROLES } from './roles.ts'

interface EventCardProps {
  readonly draft: Draft
  readonly onChange: (fields: Partial<Draft>) => void
}

/** The event that each record becomes. */
export function EventCard({ draft: { event, list, roles }, onChange }: EventCardProps) {
  const records = {
    name: 'Records',
    paths: list === undefined ? [] : [list || 'the whole response'],
    unset: 'not chosen yet',
    onRemove: () => onChange({ list: undefined, roles: {} }),
  }
  const chosen = ROLES.map(({ role, name, unset }) => ({
    ...{ name, unset, paths: roles[role] === undefined ? [] : [roles[role]] },
    onRemove: () => onChange({ roles: { ...roles, [role]: undefined } }),
  }))
  return (
    <Card p="lg">
      <Stack gap="sm">
        <Title order={2}>Event</Title>
        <TextInput
          label="Name of the event"
          description="Each record becomes one. Its other values are kept as properties."
          required
          withAsterisk={false}
          maxLength={200}
          maw={400}
          value={event}
          onChange={({ currentTarget }) => onChange({ event: currentTarget.value })}
        />
        <MappingPills rows={[records, ...chosen]} />
      </Stack>
    </Card>
  )
}
