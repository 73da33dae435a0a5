import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSelectOnMount } from '../../../ui/use-select-on-mount.ts'
import type { SearchFilter } from '../../dashboards/search.ts'
import { DASHBOARD_OPERATORS, needsValue } from './operators.ts'

export function FilterForm({ onAdd }: { readonly onAdd: (filter: SearchFilter) => void }) {
  const [key, setKey] = useState('')
  const [operator, setOperator] = useState<string>('exact')
  const [value, setValue] = useState('')
  const field = useSelectOnMount<HTMLInputElement>()
  const isComplete = key.trim() !== '' && (!needsValue(operator) || value.trim() !== '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isComplete) return
        const one = { key: key.trim(), operator }
        onAdd(needsValue(operator) ? { ...one, value: value.trim() } : one)
      }}
    >
      <Stack gap="xs">
        <TextInput
          ref={field}
          size="xs"
          label="Event property"
          placeholder="$browser"
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <Select
          size="xs"
          label="Condition"
          data={DASHBOARD_OPERATORS}
          allowDeselect={false}
          value={operator}
          onChange={(chosen) => setOperator(chosen ?? 'exact')}
          comboboxProps={{ withinPortal: false }}
        />
        {needsValue(operator) && (
          <TextInput
            size="xs"
            label="Value"
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
        )}
        <Button size="xs" type="submit" disabled={!isComplete}>
          Apply filter
        </Button>
      </Stack>
    </form>
  )
}
