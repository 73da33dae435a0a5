import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBolt, IconClock, IconUser, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { toPropertyLabel } from '#model/names/property-label.ts'
import { filterNames, renderName, scrollingList } from '../../ui/form/name-options.tsx'
import { toPropertyOption } from '../definitions/name-option.ts'
import { useGroupPropertyNames, useLoadedGroupTypes } from '../groups/api.ts'
import { isHolder, type PropertyHolder, usePropertyNames } from './api.ts'
import type { PropertyRef, PropertyType } from './filters-model.ts'

export type PickedType = PropertyHolder | 'group' | 'cohort' | 'event_metadata'

interface PropertyPickerProps extends Pick<SelectProps, 'placeholder' | 'clearable' | 'error'> {
  readonly label: string
  readonly types: readonly PickedType[]
  /** Offers the properties of this type of groups only. */
  readonly groupType?: number | undefined
  readonly value: PropertyRef | undefined
  /** Suggests the properties of this event. */
  readonly event?: string | null | undefined
  /** Properties that are not offered, because they are chosen elsewhere. */
  readonly taken?: readonly PropertyRef[]
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
  session: { name: 'Session properties', Icon: IconClock },
  group: { name: 'Group properties', Icon: IconUsersGroup },
  cohort: { name: 'Cohorts', Icon: IconUsersGroup },
  event_metadata: { name: 'Event columns', Icon: IconBolt },
}

const TYPED = 'Other name'

const COHORT: PropertyRef = { type: 'cohort', key: 'id' }

/** The columns of events that are offered, which say who caused an event. */
const COLUMNS: Readonly<Record<string, string>> = {
  person_id: 'Person',
  distinct_id: 'Distinct ID',
}

function toLabel({ type, key }: PropertyRef): string {
  if (type === 'cohort') return 'Cohort'
  return (type === 'event_metadata' ? COLUMNS[key] : undefined) ?? toPropertyLabel(key)
}

/** Names can be any text, so the type comes first. */
const toText = ({ type, key, group_type_index: index }: PropertyRef): string =>
  type === 'group' ? `${type}=${index ?? 0}=${key}` : `${type}=${key}`

function fromText(text: string): PropertyRef {
  const [, type, index, key = ''] = /^(\w+)=(?:(?<=^group=)(\d)=)?(.*)$/s.exec(text) ?? []
  const group = index === undefined ? {} : { group_type_index: Number(index) }
  return { type: type as PropertyType, key, ...group }
}

const COHORT_OPTION = { value: toText(COHORT), label: toLabel(COHORT) }

/** Names the group of the property and what is stored, which the label may not show. */
const toTooltip = ({ type, key }: PropertyRef): string =>
  type === 'cohort' ? GROUPS[type].name : `${GROUPS[type].name}: ${key}`

/** Selects a known property of events, persons or sessions, or takes a typed name. */
export function PropertyPicker(props: PropertyPickerProps) {
  const { label, types, value, event, taken = [], placeholder = 'Property', dropdown } = props
  const [search, setSearch] = useState('')
  const typed = value && search === toLabel(value) ? '' : search.trim()
  const { groups, isLoading } = useOptions({
    ...{ types, value, event, taken, typed, groupType: props.groupType },
  })
  const Icon = value && GROUPS[value.type].Icon
  return (
    <Select
      clearable={props.clearable}
      error={props.error}
      aria-label={label}
      placeholder={placeholder}
      title={value && toTooltip(value)}
      leftSection={Icon && <Icon size={16} stroke={1.6} aria-hidden />}
      data={groups}
      value={value ? toText(value) : null}
      onChange={(chosen) => props.onChange(chosen === null ? undefined : fromText(chosen))}
      searchable
      allowDeselect={false}
      {...scrollingList}
      nothingFoundMessage={isLoading ? 'Loading…' : 'Type a name'}
      selectFirstOptionOnChange={!isLoading} // also selects it once the names are there
      onSearchChange={setSearch}
      limit={SHOWN}
      filter={filterNames}
      renderOption={renderName}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', ...dropdown }}
    />
  )
}

type OptionsFilter = Required<Pick<PropertyPickerProps, 'types' | 'value' | 'taken'>> &
  Pick<PropertyPickerProps, 'event' | 'groupType'> & { readonly typed: string }

function useOptions({ types, value, event, taken, typed, groupType }: OptionsFilter) {
  const ofGroups = useGroupOptions(types.includes('group'), groupType)
  const [settled] = useDebouncedValue(typed, WAIT_MS)
  const known = {
    event: usePropertyNames('event', event, settled),
    person: usePropertyNames('person', null, settled),
    session: usePropertyNames('session', null, settled),
  }
  // groups that appeared one after another would move what the user is about to click
  const isLoading =
    ofGroups.isLoading || types.some((type) => isHolder(type) && known[type].isLoading)
  const listNames = (type: PropertyType): readonly string[] => {
    if (isLoading) return []
    if (isHolder(type)) return [...known[type].names.keys()]
    if (type === 'event_metadata') return Object.keys(COLUMNS)
    return type === 'cohort' ? [COHORT.key] : []
  }
  const toOption = (ref: PropertyRef) => {
    if (ref.type === 'cohort') return COHORT_OPTION
    const written = isHolder(ref.type) ? known[ref.type].names.get(ref.key) : undefined
    const option = { ...toPropertyOption(ref.key, written), value: toText(ref) }
    return ref.type === 'event_metadata' ? { ...option, label: toLabel(ref) } : option
  }
  const isFree = (ref: PropertyRef) => !taken.some((other) => toText(other) === toText(ref))
  const shown = value && !types.some((type) => type === value.type) ? [value.type, ...types] : types
  const groups = shown.flatMap((type) => {
    if (type === 'group') return isLoading ? [] : ofGroups.list(value, typed)
    const keys = new Set([...(value?.type === type ? [value.key] : []), ...listNames(type)])
    const refs = [...keys].map((key) => ({ type, key })).filter(isFree)
    return [{ group: GROUPS[type].name, items: refs.map(toOption) }]
  })
  const isKnown = (type: PropertyHolder) => type === value?.type && typed === value.key
  const others = types
    .filter(isHolder)
    .filter((type) => type !== 'session') // they have no others
    .filter((type) => !isLoading && typed !== '' && !isKnown(type) && !known[type].names.has(typed))
    .map((type): PropertyRef => ({ type, key: typed }))
    .filter(isFree)
    .map((ref) => ({ value: toText(ref), label: `Use “${typed}” as ${ref.type} property` }))
  return { groups: [...groups, { group: TYPED, items: others }], isLoading }
}

/** Lists the properties of each type of groups, and a typed name. */
function useGroupOptions(isWanted: boolean, only: number | undefined) {
  const loaded = useLoadedGroupTypes({ enabled: isWanted })
  const types = loaded.types.filter(
    ({ group_type_index: index }) => only === undefined || index === only,
  )
  const { namesOf, isLoading } = useGroupPropertyNames({ enabled: types.length > 0 })
  const list = (value: PropertyRef | undefined, typed: string) =>
    types.map(({ group_type_index, group_type, name_singular }) => {
      const isOwn = value?.type === 'group' && value.group_type_index === group_type_index
      const known = [...new Set([...(isOwn ? [value.key] : []), ...namesOf(group_type_index)])]
      const isNew = typed !== '' && !known.includes(typed)
      const toOption = (key: string) => ({
        ...toPropertyOption(key),
        value: toText({ type: 'group', key, group_type_index }),
      })
      return {
        group: `${name_singular || group_type} properties`,
        items: [
          ...known.map(toOption),
          ...(isNew ? [{ value: toOption(typed).value, label: `Use “${typed}”` }] : []),
        ],
      }
    })
  return { list, isLoading: loaded.isLoading || isLoading }
}
