import { Checkbox, Group, Input, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { JobField } from '#server/features/import-apps/plugins/schema.ts'
import { DayInput } from '../../../ui/form/day-input.tsx'
import classes from '../apps.module.css'
import type { Typed } from './job-rules.ts'

interface JobInputProps {
  readonly name: string
  readonly field: JobField
  readonly value: Typed[string]
  /** Only admins can set it. */
  readonly isLocked: boolean
  readonly error: string | undefined
  readonly onChange: (value: Typed[string]) => void
}

export function JobInput({ name, field, value, isLocked, error, onChange }: JobInputProps) {
  const common = {
    label: field.title || name,
    description: isLocked ? 'Only admins can set this.' : undefined,
    withAsterisk: field.required,
    disabled: isLocked,
    error,
  }
  const onText = ({ currentTarget }: { currentTarget: { value: string } }) =>
    onChange(currentTarget.value)
  switch (field.type) {
    case 'boolean': {
      const { withAsterisk: _, ...rest } = common
      return (
        <Checkbox
          {...rest}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    }
    case 'number':
      return (
        <NumberInput
          {...common}
          value={String(value)}
          thousandSeparator=","
          onChange={(number) => onChange(String(number))}
        />
      )
    case 'json':
      return (
        <Textarea
          {...common}
          value={String(value)}
          classNames={{ input: classes.code }}
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={false}
          onChange={onText}
        />
      )
    case 'date':
      return <DayInput {...common} value={String(value)} onDay={onChange} />
    case 'daterange':
      return <DateRange {...common} value={value} onChange={onChange} />
    default:
      return <TextInput {...common} value={String(value)} onChange={onText} />
  }
}

interface DateRangeProps {
  readonly label: string
  readonly description: string | undefined
  readonly withAsterisk: boolean | undefined
  readonly disabled: boolean
  readonly error: string | undefined
  readonly value: Typed[string]
  readonly onChange: (value: readonly [string, string]) => void
}

function DateRange({ value, disabled, onChange, ...wrapper }: DateRangeProps) {
  const [from = '', to = ''] = Array.isArray(value) ? value : []
  return (
    <Input.Wrapper {...wrapper} labelElement="div">
      <Group gap="xs" mt={4}>
        <DayInput
          aria-label={`${wrapper.label}: from`}
          value={from}
          disabled={disabled}
          onDay={(day) => onChange([day, to])}
        />
        <DayInput
          aria-label={`${wrapper.label}: to`}
          value={to}
          disabled={disabled}
          onDay={(day) => onChange([from, day])}
        />
      </Group>
    </Input.Wrapper>
  )
}
