import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import {
  ALL_EVENTS,
  isActionsNode,
  toActionsNode,
  toEventsNode,
  toEventsNodeLabel,
} from '#model/query-kinds/events.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { filterNames, renderName, scrollingList } from '../../ui/form/name-options.tsx'
import { useEventDefinitions } from '../definitions/api.ts'
import { toEventOption } from '../definitions/name-option.ts'
import { type Action, useActionChoices } from './api.ts'

interface EventPickerProps {
  readonly label: string
  readonly isLabelShown?: boolean
  readonly value: EventsNode
  /** Gets a node that counts the event or action, and nothing else. */
  readonly onChange: (node: EventsNode) => void
  readonly error?: string | undefined
}

const WAIT_MS = 200

/** Event names may be any text, so values of names start with `=`, those of actions with `#`. */
const ANY = 'any'
const toNameValue = (name: string): string => `=${name}`
const toActionValue = (id: number | null | undefined): string => `#${id}`

function toValue(node: EventsNode): string {
  if (isActionsNode(node)) return toActionValue(node.id)
  return node.event ? toNameValue(node.event) : ANY
}

/** Selects a known event name or action, takes a typed name, or counts all events. */
export function EventPicker({ label, isLabelShown, value, onChange, error }: EventPickerProps) {
  const [search, setSearch] = useState('')
  // the field shows what is selected, which is not a search
  const shown = toEventsNodeLabel({ ...value, custom_name: null })
  const typed = search === shown ? '' : search.trim()
  const [settled] = useDebouncedValue(typed, WAIT_MS)
  const listed = new Map(useEventDefinitions(settled).data?.map((each) => [each.name, each]))
  const known = [...new Set([...(value.event ? [value.event] : []), ...listed.keys()])]
  const isNew = typed !== '' && !known.includes(typed)
  const actions = toActionOptions(value, useActionChoices().data ?? [])
  const events = [
    { value: ANY, label: toEventsNodeLabel(ALL_EVENTS) },
    ...known.map((name) => ({
      ...toEventOption(name, listed.get(name)),
      value: toNameValue(name),
    })),
    ...(isNew ? [{ value: toNameValue(typed), label: `Use “${typed}”` }] : []),
  ]
  const choose = (chosen: string) => {
    const action = actions.find((each) => each.value === chosen)
    if (action) onChange(toActionsNode({ id: action.id, name: action.label }))
    else onChange(toEventsNode(chosen.startsWith('=') ? chosen.slice(1) : null))
  }
  return (
    <Choice
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      error={error}
      title={value.event && shown !== value.event ? value.event : undefined}
      data={
        actions.length === 0
          ? events
          : [
              { group: 'Events', items: events },
              { group: 'Actions', items: actions },
            ]
      }
      value={toValue(value)}
      onChange={choose}
      searchable
      {...scrollingList}
      limit={100}
      filter={filterNames}
      renderOption={renderName}
      nothingFoundMessage="Type a name"
      selectFirstOptionOnChange
      onSearchChange={setSearch}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}

/** A chosen action is an option even if it is in the trash. */
function toActionOptions(value: EventsNode, actions: readonly Action[]) {
  const options = actions.map(({ id, name, description }) => ({
    ...{ id, value: toActionValue(id), label: name, description },
  }))
  const { id } = value
  if (!isActionsNode(value) || !id || options.some((option) => option.id === id)) return options
  const label = toEventsNodeLabel({ ...value, custom_name: null })
  return [...options, { id, value: toActionValue(id), label, description: '' }]
}
