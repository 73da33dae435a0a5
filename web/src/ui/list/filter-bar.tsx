import {
  Button,
  Group,
  Select,
  type SelectProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { hasFilters } from './search-params.ts'
import { useDebouncedText } from './use-debounced-text.ts'

interface FilterBarProps {
  readonly search: object
  readonly onClear: () => void
  readonly children: ReactNode
}

/** Filters above a list, kept in the URL. */
export function FilterBar({ search, onClear, children }: FilterBarProps) {
  return (
    <Group gap="xs" mb="md">
      {children}
      {hasFilters(search) && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}

type Field<Props> = Omit<Props, 'value' | 'defaultValue' | 'onChange' | 'label'> & {
  readonly label: string
}

interface FilterTextProps extends Field<TextInputProps> {
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** Filters when typing pauses. */
export function FilterText({ label, value, onChange, ...props }: FilterTextProps) {
  const { text, change, flush } = useDebouncedText(value, onChange)
  return (
    <TextInput
      aria-label={label}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={flush}
      {...props}
    />
  )
}

interface FilterSelectProps extends Field<SelectProps> {
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

export function FilterSelect({ label, value, onChange, ...props }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      {...props}
    />
  )
}

interface FilterSpanProps {
  /** Hours or days up to now. */
  readonly spans: readonly { readonly value: string; readonly label: string }[]
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

export const FilterSpan = ({ spans, value, onChange }: FilterSpanProps) => (
  <FilterSelect
    label="Time range"
    placeholder="Any time"
    data={[...spans]}
    value={value?.toString()}
    onChange={(chosen) => onChange(chosen ? Number(chosen) : undefined)}
    flex="1 1 140px"
    maw={{ sm: 180 }}
  />
)
