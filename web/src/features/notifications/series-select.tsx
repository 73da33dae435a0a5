import { Choice, type ChoiceProps } from '../../ui/form/choice.tsx'
import { useSeriesNames } from './api.ts'

interface SeriesSelectProps extends ChoiceProps {
  readonly insight: string | null
}

/** Picks one of an insight's series; hidden when there is only one. */
export function SeriesSelect({ insight, ...props }: SeriesSelectProps) {
  const series = useSeriesNames(insight).data ?? []
  if (series.length < 2) return null
  return (
    <Choice
      label="Series"
      data={series.map((label, index) => ({ value: `${index}`, label }))}
      {...props}
    />
  )
}
