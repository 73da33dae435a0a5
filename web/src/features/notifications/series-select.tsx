import { Select, type SelectProps } from '@mantine/core'
import { useSeriesNames } from './api.ts'

interface SeriesSelectProps extends SelectProps {
  readonly insight: string | null
}

/** Picks one of an insight's series; hidden when there is only one. */
export function SeriesSelect({ insight, ...props }: SeriesSelectProps) {
  const series = useSeriesNames(insight).data ?? []
  if (series.length < 2) return null
  return (
    <Select
      label="Series"
      allowDeselect={false}
      data={series.map((label, index) => ({ value: `${index}`, label }))}
      {...props}
    />
  )
}
