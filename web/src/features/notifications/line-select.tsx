import { Select, type SelectProps } from '@mantine/core'
import { useLines } from './api.ts'

interface LineSelectProps extends SelectProps {
  readonly insight: string | null
}

/** Which of the lines that an insight shows. There is nothing to choose where it shows one. */
export function LineSelect({ insight, ...props }: LineSelectProps) {
  const lines = useLines(insight).data ?? []
  if (lines.length < 2) return null
  return (
    <Select
      label="Watch"
      allowDeselect={false}
      data={lines.map((label, index) => ({ value: `${index}`, label }))}
      {...props}
    />
  )
}
