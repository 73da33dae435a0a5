import { ActionIcon, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import classes from '../editor.module.css'
import { useFieldError } from '../errors.tsx'
import { PropertyPicker } from '../pickers.tsx'
import { FilterValue } from './filter-value.tsx'
import { OPERATOR_FIELDS, type Operator, toOperator, withOperator } from './filters-model.ts'

interface FilterRowProps {
  readonly filter: PropertyFilter
  readonly path: string
  readonly event?: string | null | undefined
  readonly onChange: (filter: PropertyFilter) => void
  readonly onRemove: () => void
}

/** One filter: property, operator and value. */
export function FilterRow({ filter, path, event, onChange, onRemove }: FilterRowProps) {
  const problem = useFieldError(path)
  return (
    <div className={classes.filter}>
      <div className={classes.key}>
        <PropertyPicker
          label="Property"
          value={filter.key || null}
          event={event}
          onChange={(key) => onChange({ ...filter, key: key ?? '' })}
        />
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label="Remove filter" onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
      <div className={classes.key}>
        <Select
          aria-label="Operator"
          data={OPERATOR_FIELDS.map(({ value, label }) => ({ value, label }))}
          value={toOperator(filter)}
          allowDeselect={false}
          onChange={(operator) => onChange(withOperator(filter, operator as Operator))}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        />
      </div>
      <div className={classes.key}>
        <FilterValue
          filter={filter}
          event={event}
          error={problem}
          onChange={(value) => onChange({ ...filter, value })}
        />
      </div>
    </div>
  )
}
