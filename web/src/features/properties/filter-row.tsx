import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
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

interface FilterRowProps {
  readonly filter: PropertyFilter
  /** Suggests the properties of this event. */
  readonly event?: string | null | undefined
  readonly error?: string | undefined
  readonly types?: readonly PickedType[]
  /** The word for one filter: "rule". */
  readonly noun?: string
  readonly dropdown?: Dropdown
  readonly onChange: (filter: PropertyFilter) => void
  readonly onRemove?: () => void
}

const ALL_TYPES: readonly PickedType[] = ['event', 'person', 'cohort']

/** One filter: property, operator and value. */
export function FilterRow({ filter, onChange, onRemove, ...props }: FilterRowProps) {
  const { event, error, types = ALL_TYPES, noun = 'filter', dropdown = {} } = props
  return (
    <div className={classes.place}>
      <div className={classes.filter}>
        <div className={classes.field}>
          <PropertyPicker
            label="Property"
            types={types}
            value={toPropertyRef(filter)}
            event={event}
            dropdown={dropdown}
            onChange={(chosen) => chosen && onChange(withProperty(filter, chosen))}
          />
        </div>
        <div className={classes.field}>
          <Choice
            aria-label="Operator"
            data={listOperators(filter).map(({ value, label }) => ({ value, label }))}
            value={toOperator(filter)}
            onChange={(operator) => onChange(withOperator(filter, operator))}
            comboboxProps={{ width: 'max-content', position: 'bottom-start', ...dropdown }}
          />
        </div>
        <div className={classes.field}>
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
