import { Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { Choice } from '../../../ui/form/choice.tsx'
import { Card } from '../../../ui/page/card.tsx'
import type { Draft, Paginate, Since } from './draft.ts'

type Kind = 'none' | 'page' | 'offset' | 'cursor' | 'link'

const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'none', label: 'One page' },
  { value: 'page', label: 'Page number' },
  { value: 'offset', label: 'Offset' },
  { value: 'cursor', label: 'Cursor' },
  { value: 'link', label: 'Link header' },
]

const ABOUT: Readonly<Record<Kind, string>> = {
  none: 'Only this response is read.',
  page: 'Reads on until a page is empty.',
  offset: 'Reads on until a page is not full.',
  cursor: 'Reads on until the response has no cursor.',
  link: 'Follows the Link header of each response.',
}

const INITIAL: Readonly<Record<Kind, Paginate>> = {
  none: {},
  page: { page: { parameter: 'page', first: 1 } },
  offset: { offset: { parameter: 'offset', limit_parameter: 'limit', limit: 100 } },
  cursor: { cursor: { path: 'next' } },
  link: { link: true },
}

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
  const kind = KINDS.find(({ value }) => value in paginate)?.value ?? 'none'
  return (
    <Card p="lg">
      <Stack gap="sm">
        <Title order={2}>Pages</Title>
        <Group align="flex-end" gap="sm">
          <Choice
            label="Next page"
            data={KINDS}
            value={kind}
            onChange={(chosen) => onChange({ paginate: INITIAL[chosen] })}
          />
          <Fields paginate={paginate} onChange={(changed) => onChange({ paginate: changed })} />
        </Group>
        <Text size="sm" c="dimmed">
          {ABOUT[kind]}
        </Text>
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

interface FieldsProps {
  readonly paginate: Paginate
  readonly onChange: (paginate: Paginate) => void
}

function Fields({ paginate: { page, offset, cursor }, onChange }: FieldsProps) {
  if (page) {
    return (
      <>
        <Field
          label="Parameter"
          value={page.parameter}
          onChange={(parameter) => onChange({ page: { ...page, parameter } })}
        />
        <NumberInput
          label="First page"
          min={0}
          allowDecimal={false}
          w={120}
          value={page.first}
          onChange={(first) => onChange({ page: { ...page, first: Number(first) } })}
        />
      </>
    )
  }
  if (offset) {
    return (
      <>
        <Field
          label="Parameter of the offset"
          value={offset.parameter}
          onChange={(parameter) => onChange({ offset: { ...offset, parameter } })}
        />
        <Field
          label="Parameter of the size"
          value={offset.limit_parameter}
          onChange={(limit_parameter) => onChange({ offset: { ...offset, limit_parameter } })}
        />
        <NumberInput
          label="Page size"
          min={1}
          max={10_000}
          allowDecimal={false}
          w={120}
          value={offset.limit}
          onChange={(limit) => onChange({ offset: { ...offset, limit: Number(limit) || 1 } })}
        />
      </>
    )
  }
  if (!cursor) return null
  return (
    <>
      <Field
        label="Path of the cursor"
        value={cursor.path}
        onChange={(path) => onChange({ cursor: { ...cursor, path } })}
      />
      <Field
        label="Parameter"
        description="Empty if the cursor is an address."
        value={cursor.parameter ?? ''}
        onChange={(parameter) =>
          onChange({ cursor: { path: cursor.path, ...(parameter !== '' && { parameter }) } })
        }
      />
    </>
  )
}

interface FieldProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const Field = ({ onChange, ...props }: FieldProps) => (
  <TextInput
    {...props}
    flex={1}
    miw={160}
    onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
  />
)
