import { Button, Pill, Popover, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilterPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Dashboard } from '../../../../../src/features/dashboards/schema.ts'
import type { DashboardSearch, PropertyFilter } from '../../dashboards/search.ts'
import { useDesk } from '../context.ts'
import { savedProperties } from './override.ts'

const OPERATORS = [
  { value: 'exact', label: 'is' },
  { value: 'is_not', label: 'is not' },
  { value: 'icontains', label: 'contains' },
  { value: 'not_icontains', label: 'does not contain' },
  { value: 'gt', label: 'is greater than' },
  { value: 'lt', label: 'is less than' },
  { value: 'is_set', label: 'is set' },
  { value: 'is_not_set', label: 'is not set' },
] as const

const needsValue = (operator: string): boolean => !operator.endsWith('_set')

function toWords({ key, operator, value }: PropertyFilter): string {
  const words = OPERATORS.find((one) => one.value === operator)?.label ?? operator
  const values = Array.isArray(value) ? value.join(' or ') : value
  return [key, words, needsValue(operator) && values].filter(Boolean).join(' ')
}

interface PropertyFiltersProps {
  readonly dashboard: Dashboard
  readonly search: DashboardSearch
  readonly onChange: (change: Pick<DashboardSearch, 'properties'>) => void
}

/** First those that the dashboard always has, then those of the address. */
export function PropertyFilters({ dashboard, search, onChange }: PropertyFiltersProps) {
  const { editor, canEdit } = useDesk()
  const saved = savedProperties(dashboard)
  const said = search.properties ?? []
  const without = (filters: readonly PropertyFilter[], one: PropertyFilter) =>
    filters.filter((each) => each !== one)
  const removeSaved = (one: PropertyFilter) =>
    editor.edit('Removed a filter', {
      fields: { filters: { ...dashboard.filters, properties: without(saved, one) } },
    })
  const say = (properties: readonly PropertyFilter[]) =>
    onChange({ properties: properties.length > 0 ? properties : undefined })
  return (
    <>
      {saved.map((filter) => (
        <Pill
          key={`saved ${toWords(filter)}`}
          size="md"
          withRemoveButton={canEdit}
          onRemove={() => removeSaved(filter)}
          removeButtonProps={{ 'aria-label': `Remove the filter ${toWords(filter)}` }}
        >
          {toWords(filter)}
        </Pill>
      ))}
      {said.map((filter) => (
        <Pill
          key={toWords(filter)}
          size="md"
          withRemoveButton
          onRemove={() => say(without(said, filter))}
          removeButtonProps={{ 'aria-label': `Remove the filter ${toWords(filter)}` }}
        >
          {toWords(filter)}
        </Pill>
      ))}
      <AddFilter onAdd={(filter) => say([...said, filter])} />
    </>
  )
}

function AddFilter({ onAdd }: { readonly onAdd: (filter: PropertyFilter) => void }) {
  const [isOpen, { toggle, close }] = useDisclosure()
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-start" width={260} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFilterPlus size={16} />}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="A new filter">
        <FilterForm
          onAdd={(filter) => {
            onAdd(filter)
            close()
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function FilterForm({ onAdd }: { readonly onAdd: (filter: PropertyFilter) => void }) {
  const [key, setKey] = useState('')
  const [operator, setOperator] = useState<string>('exact')
  const [value, setValue] = useState('')
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
          data-autofocus
          size="xs"
          label="Property of the events"
          placeholder="$browser"
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <Select
          size="xs"
          label="Condition"
          data={OPERATORS}
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
          Add filter
        </Button>
      </Stack>
    </form>
  )
}
