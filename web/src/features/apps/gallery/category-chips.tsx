import { Chip, Group } from '@mantine/core'

interface CategoryChipsProps {
  readonly categories: readonly string[]
  readonly value: string | undefined
  readonly onChange: (category: string | undefined) => void
}

const ALL = 'All'

export const CategoryChips = ({ categories, value, onChange }: CategoryChipsProps) => (
  <Chip.Group
    value={value ?? ALL}
    onChange={(chosen) => onChange(chosen === ALL ? undefined : chosen)}
  >
    <Group gap="xs" role="radiogroup" aria-label="Category">
      {[ALL, ...categories].map((category) => (
        <Chip key={category} value={category} size="sm">
          {category}
        </Chip>
      ))}
    </Group>
  </Chip.Group>
)
