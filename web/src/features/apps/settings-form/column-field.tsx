import { Autocomplete, type ComboboxItem, Group, Text } from '@mantine/core'
import type { PreviewColumn } from '#server/features/import-apps/previews/schema.ts'
import classes from '../apps.module.css'

interface ColumnFieldProps {
  readonly label: string
  readonly description: string | undefined
  readonly withAsterisk: boolean
  readonly error: string | undefined
  readonly value: string
  /** The columns that the preview found; empty before. */
  readonly columns: readonly PreviewColumn[]
  readonly onChange: (value: string) => void
}

/** Picks a column of the file or response. A name can be typed too, before the columns are known. */
export function ColumnField({ columns, ...props }: ColumnFieldProps) {
  const byName = new Map(columns.map((column) => [column.name, column]))
  return (
    <Autocomplete
      {...props}
      data={[...byName.keys()]}
      // all columns stay in sight while one is chosen
      filter={({ options, search }) => {
        const isChosen = byName.has(search)
        const words = search.trim().toLowerCase()
        const isFound = ({ value }: ComboboxItem) => value.toLowerCase().includes(words)
        return isChosen ? options : options.filter((option) => isFound(option as ComboboxItem))
      }}
      renderOption={({ option }) => <ColumnOption column={byName.get(option.value)} />}
      limit={200}
      maxDropdownHeight={320}
    />
  )
}

const ColumnOption = ({ column }: { readonly column: PreviewColumn | undefined }) => (
  <Group gap="xs" wrap="nowrap" justify="space-between" flex={1} miw={0}>
    <span>{column?.name}</span>
    <Text component="span" size="xs" c="dimmed" truncate className={classes.code} aria-hidden>
      {[column?.type, column?.example].filter(Boolean).join(' · ')}
    </Text>
  </Group>
)
