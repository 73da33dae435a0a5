import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { FilterValue } from './filter-value.tsx'
import {
  listOperators,
  toOperator,
  toPropertyRef,
  withOperator,
  withProperty,
} from './filters-model.ts'
import classes from './properties.module.css'
import { type Dropdown, type PickedType, PropertyPicker } from './property-picker.tsx'

export interface FilterRowProps {
  readonly filter: PropertyFilter
  /** Suggests the properties of this event. */
  readonly event?: string | null | undefined
  readonly error?: string | undefined
  readonly types?: readonly PickedType[]
  /** Offers the properties of this type of groups only. */
  readonly groupType?: number | undefined
  /** The word for one filter: "rule". */
  readonly noun?: string
  readonly dropdown?: Dropdown
  readonly onChange: (filter: PropertyFilter) => void
  readonly onRemove?: () => void
}

const ALL_TYPES: readonly PickedType[] = ['event', 'person', 'session', 'group', 'cohort']

/** One filter: property, operator and value. The focus is where the next choice is to be made. */
export function FilterRow({ filter, onChange, onRemove, ...props }: FilterRowProps) {
  const { event, error, types = ALL_TYPES, noun = 'filter', dropdown = {} } = props
  const { row, moveToValue } = useNextField(filter)
  return (
    <div className={classes.place}>
      <div className={classes.filter} ref={row}>
        <div className={classes.field}>
          <PropertyPicker
            label="Property"
            types={types}
            groupType={props.groupType}
            value={toPropertyRef(filter)}
            event={event}
            dropdown={dropdown}
            onChange={(chosen) => {
              if (!chosen) return
              moveToValue()
              onChange(withProperty(filter, chosen))
            }}
          />
        </div>
        <div className={classes.field}>
          <Choice
            aria-label="Operator"
            data={listOperators(filter).map(({ value, label }) => ({ value, label }))}
            value={toOperator(filter)}
            onChange={(operator) => {
              moveToValue()
              onChange(withOperator(filter, operator))
            }}
            comboboxProps={{ width: 'max-content', position: 'bottom-start', ...dropdown }}
          />
        </div>
        <div className={classes.field} data-value>
          <FilterValue
            filter={filter}
            event={event}
            error={error}
            dropdown={dropdown}
            onChange={(value) => onChange({ ...filter, ...value })}
          />
        </div>
        {onRemove && (
          <ActionIcon
            className={classes.remove}
            variant="subtle"
            color="gray"
            aria-label={`Remove ${noun}`}
            onClick={onRemove}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </div>
    </div>
  )
}

/** Focuses the property of a new filter, and the value after another choice, once its field is there. */
function useNextField(filter: PropertyFilter) {
  const row = useRef<HTMLDivElement>(null)
  const next = useRef(filter.key === '' ? 'input' : undefined)
  useEffect(() => {
    if (next.current) row.current?.querySelector<HTMLElement>(next.current)?.focus()
    next.current = undefined
  })
  const moveToValue = () => {
    next.current = '[data-value] input:not([type=hidden])'
  }
  return { row, moveToValue }
}
