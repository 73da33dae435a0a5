import { Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { toEventLabel } from '#model/names/event-label.ts'
import { renderName, scrollingList } from '../../ui/form/name-options.tsx'
import { FilterSelect } from '../../ui/list/filter-bar.tsx'
import { useEventDefinitions } from '../definitions/api.ts'
import { toEventOption } from '../definitions/name-option.ts'
import { useActionChoices } from './api.ts'

/** The name of an event, or the ID of an action. */
export type EventOrAction = string | number

/** Splits what is chosen in one field into the two parameters of a list. */
export const toEventSearch = (chosen: EventOrAction | undefined) =>
  typeof chosen === 'number'
    ? { event: undefined, action: chosen }
    : { event: chosen, action: undefined }

interface SelectProps<Value> {
  /** Shown while nothing is chosen. */
  readonly placeholder?: string
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
}

/** Chooses an event by its name. */
export const EventSelect = ({ onChange, ...props }: SelectProps<string>) => (
  <Field
    actions={[]}
    onChange={(chosen) => onChange(chosen === undefined ? undefined : `${chosen}`)}
    {...props}
  />
)

/** Chooses an event, or an action in its place. */
export const EventOrActionSelect = (props: SelectProps<EventOrAction>) => (
  <Field actions={useActionChoices().data ?? []} {...props} />
)

interface FieldProps extends SelectProps<EventOrAction> {
  readonly actions: readonly { readonly id: number; readonly name: string }[]
}

/** Event names may be any text, so values of names start with `=`, those of actions with `#`. */
const toText = (value: EventOrAction): string =>
  typeof value === 'number' ? `#${value}` : `=${value}`
const toValue = (text: string): EventOrAction =>
  text.startsWith('#') ? Number(text.slice(1)) : text.slice(1)

/** Searches on the server, since there may be thousands of names. */
function Field({ placeholder = 'All events', actions, value, onChange }: FieldProps) {
  const [typed, setTyped] = useState('')
  const options = toActionOptions(actions, value)
  const chosen = options.find((option) => option.id === value)
  const shown = chosen?.label ?? (typeof value === 'string' ? toEventLabel(value) : '')
  const searched = typed === shown ? '' : typed
  const [words] = useDebouncedValue(searched, 200)
  const { data = [], isFetching } = useEventDefinitions(words)
  const listed = new Map(data.map((each) => [each.name, each]))
  const names = new Set([...(typeof value === 'string' ? [value] : []), ...listed.keys()])
  const events = [...names].map((name) => ({
    ...toEventOption(name, listed.get(name)),
    value: toText(name),
  }))
  const found = options.filter(({ id, label }) => id === value || isFound(label, searched))
  return (
    <FilterSelect
      label="Event"
      placeholder={placeholder}
      title={typeof value === 'string' && shown !== value ? value : undefined}
      data={
        found.length === 0
          ? events
          : [
              { group: 'Events', items: events },
              { group: 'Actions', items: found },
            ]
      }
      renderOption={renderName}
      filter={({ options: all }) => all}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      value={value === undefined ? undefined : toText(value)}
      onChange={(text) => onChange(text === undefined ? undefined : toValue(text))}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No matching events'}
      rightSection={isFetching && typed !== '' ? <Loader size={14} /> : undefined}
      {...scrollingList}
      flex="1 1 220px"
    />
  )
}

const isFound = (label: string, words: string): boolean =>
  label.toLowerCase().includes(words.trim().toLowerCase())

/** A chosen action is an option even if it is in the trash. */
function toActionOptions(actions: FieldProps['actions'], value: EventOrAction | undefined) {
  const isListed = typeof value !== 'number' || actions.some(({ id }) => id === value)
  const all = isListed ? actions : [...actions, { id: value, name: `Action ${value}` }]
  return all.map(({ id, name }) => ({ id, value: toText(id), label: name }))
}
