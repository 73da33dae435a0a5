import { Group, Stack, Title } from '@mantine/core'
import { Choice } from '../../../ui/form/choice.tsx'
import { Card } from '../../../ui/page/card.tsx'
import type { Draft, Since } from './draft.ts'
import { Field, PagingFields } from './paging-fields.tsx'

const FORMATS: readonly { value: Since['format']; label: string }[] = [
  { value: 'iso', label: '2026-01-05T10:00:00Z' },
  { value: 'date', label: '2026-01-05' },
  { value: 'seconds', label: 'Seconds since 1970' },
  { value: 'milliseconds', label: 'Milliseconds since 1970' },
]

interface PagesCardProps {
  readonly draft: Draft
  readonly onChange: (fields: Partial<Draft>) => void
}

/** Shows how the next page is found, which is detected in the first response, and how new records are. */
export function PagesCard({ draft: { paginate, roles, since }, onChange }: PagesCardProps) {
  return (
    <Card p="lg">
      <Stack gap="sm">
        <Title order={2}>Pages</Title>
        <PagingFields paginate={paginate} onChange={(changed) => onChange({ paginate: changed })} />
        {roles.time !== undefined && (
          <SinceFields since={since} onChange={(changed) => onChange({ since: changed })} />
        )}
      </Stack>
    </Card>
  )
}

interface SinceFieldsProps {
  readonly since: Since
  readonly onChange: (since: Since) => void
}

const SinceFields = ({ since, onChange }: SinceFieldsProps) => (
  <Group align="flex-end" gap="sm">
    <Field
      label="Parameter for new records"
      description="Gets the latest time of earlier runs. Without it, each run reads all records."
      value={since.parameter}
      onChange={(parameter) => onChange({ ...since, parameter })}
    />
    {since.parameter !== '' && (
      <Choice
        label="Its format"
        data={FORMATS}
        value={since.format}
        onChange={(format) => onChange({ ...since, format })}
      />
    )}
  </Group>
)
