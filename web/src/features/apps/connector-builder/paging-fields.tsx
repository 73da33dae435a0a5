import { Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { Choice } from '../../../ui/form/choice.tsx'
import type { Paginate } from './draft.ts'

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

interface PagingFieldsProps {
  readonly paginate: Paginate
  readonly onChange: (paginate: Paginate) => void
}

/** Says how the next page is found. */
export function PagingFields({ paginate, onChange }: PagingFieldsProps) {
  const kind = KINDS.find(({ value }) => value in paginate)?.value ?? 'none'
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <Choice
          label="Next page"
          data={KINDS}
          value={kind}
          onChange={(chosen) => onChange(INITIAL[chosen])}
        />
        <Fields paginate={paginate} onChange={onChange} />
      </Group>
      <Text size="sm" c="dimmed">
        {ABOUT[kind]}
      </Text>
    </Stack>
  )
}

function Fields({ paginate: { page, offset, cursor }, onChange }: PagingFieldsProps) {
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

/** A text without spaces around it. */
export const Field = ({ onChange, ...props }: FieldProps) => (
  <TextInput
    {...props}
    flex={1}
    miw={160}
    onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
  />
)
