import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { projectsQuery } from '../../../api/session.ts'

interface ProjectsInputProps extends Omit<MultiSelectProps, 'value' | 'onChange' | 'data'> {
  readonly value?: readonly number[]
  readonly onChange?: (ids: number[]) => void
}

/** Selects some of the user's projects. */
export function ProjectsInput({ value, onChange, ...props }: ProjectsInputProps) {
  const { results } = useSuspenseQuery(projectsQuery).data
  return (
    <MultiSelect
      searchable
      clearable
      {...props}
      data={results.map(({ id, name }) => ({ value: `${id}`, label: name }))}
      value={value?.map(String)}
      onChange={(ids) => onChange?.(ids.map(Number))}
    />
  )
}
