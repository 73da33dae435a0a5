import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBolt, IconUser, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { isHolder, type PropertyHolder, usePropertyNames } from './api.ts'
import type { PropertyRef, PropertyType } from './filters-model.ts'

export type PickedType = PropertyHolder | 'cohort'

interface PropertyPickerProps extends Pick<SelectProps, 'placeholder' | 'clearable' | 'error'> {
  readonly label: string
  readonly types: readonly PickedType[]
  readonly value: PropertyRef | undefined
  /** Suggests the properties of this event. */
  readonly event?: string | null | undefined
  readonly dropdown?: Dropdown
  readonly onChange: (value: PropertyRef | undefined) => void
}

/** A click outside of a popover closes it, so dropdowns in a popover must be inside of it. */
export interface Dropdown {
  readonly withinPortal?: boolean
}

const WAIT_MS = 200
/** More would hide the next group. */
const SHOWN = 50

const GROUPS: Readonly<Record<PropertyType, { name: string; Icon: typeof IconUser }>> = {
  event: { name: 'Event properties', Icon: IconBolt },
  person: { name: 'Person properties', Icon: IconUser },
  group: { name: 'Group properties', Icon: IconUsersGroup },
  cohort: { name: 'Cohorts', Icon: IconUsersGroup },
  event_metadata: { name: 'Event columns', Icon: IconBolt },
}

const TYPED = 'Other name'

const COHORT: PropertyRef = { type: 'cohort', key: 'id' }

const labelOf = ({ type, key }: PropertyRef): string => (type === 'cohort' ? 'Cohort' : key)

/** Names can be any text, so the type comes first. */
const toText = ({ type, key }: PropertyRef): string => `${type}=${key}`

function fromText(text: string): PropertyRef {
  const end = text.indexOf('=')
  return { type: text.slice(0, end) as PropertyType, key: text.slice(end + 1) }
}

const toOption = (ref: PropertyRef, label = labelOf(ref)) => ({ value: toText(ref), label })

/** Selects a known property of events or persons, or takes a typed name. */
export function PropertyPicker(props: PropertyPickerProps) {
  const { label, types, value, event, placeholder = 'Property', dropdown, ...select } = props
  const [search, setSearch] = useState('')
  const typed = value && search === labelOf(value) ? '' : search.trim()
  const groups = useOptions({ types, value, event, typed })
  const Icon = value && GROUPS[value.type].Icon
  return (
    <Select
      {...select}
      aria-label={label}
      placeholder={placeholder}
      title={value && GROUPS[value.type].name}
      leftSection={Icon && <Icon size={16} stroke={1.6} aria-hidden />}
      data={groups}
      value={value ? toText(value) : null}
      onChange={(chosen) => props.onChange(chosen === null ? undefined : fromText(chosen))}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      nothingFoundMessage="Type a name"
      selectFirstOptionOnChange
      onSearchChange={setSearch}
      filter={filterGroups}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', ...dropdown }}
    />
  )
}

function useOptions({
  types,
  value,
  event,
  typed,
}: Pick<PropertyPickerProps, 'types' | 'value' | 'event'> & { readonly typed: string }) {
  const [settled] = useDebouncedValue(typed, WAIT_MS)
  const names: Readonly<Record<PropertyHolder, readonly string[]>> = {
    event: usePropertyNames('event', event, settled),
    person: usePropertyNames('person', null, settled),
  }
  const shown = value && !types.some((type) => type === value.type) ? [value.type, ...types] : types
  const groups = shown.map((type) => {
    const known = isHolder(type) ? names[type] : type === 'cohort' ? [COHORT.key] : []
    const keys = new Set([...(value?.type === type ? [value.key] : []), ...known])
    const items = [...keys].map((key) => toOption({ type, key }))
    return { group: GROUPS[type].name, items }
  })
  const isKnown = (type: PropertyHolder) => type === value?.type && typed === value.key
  const others = types
    .filter(isHolder)
    .filter((type) => typed !== '' && !isKnown(type) && !names[type].includes(typed))
    .map((type) => toOption({ type, key: typed }, `Use “${typed}” as ${type} property`))
  return [...groups, { group: TYPED, items: others }]
}

/** Limits each group on its own. */
const filterGroups: SelectProps['filter'] = ({ options, search }) => {
  const words = search.trim().toLowerCase()
  return options.flatMap((group) => {
    if (!('group' in group)) return group
    const items = group.items.filter(({ label }) => label.toLowerCase().includes(words))
    return items.length === 0 ? [] : { ...group, items: items.slice(0, SHOWN) }
  })
}
