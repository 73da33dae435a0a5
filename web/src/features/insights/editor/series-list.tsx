import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { EventsNode } from '../../../../../src/analytics/queries/schema.ts'
import { ANY_EVENT } from './query-model.ts'
import { SeriesRow, type SeriesWords } from './series-row.tsx'

interface SeriesListProps {
  readonly series: readonly EventsNode[]
  readonly words: SeriesWords
  readonly hasMath?: boolean
  readonly least?: number
  readonly most: number
  readonly onChange: (series: EventsNode[]) => void
}

/** The events that are counted, or the steps of a funnel. Each can be moved, copied, named and filtered. */
export function SeriesList({
  series,
  words,
  hasMath = false,
  least = 1,
  most,
  onChange,
}: SeriesListProps) {
  const moved = (from: number, to: number) => {
    const next = series.toSpliced(from, 1)
    onChange(next.toSpliced(to, 0, series[from] as EventsNode))
  }
  return (
    <Stack gap="xs">
      {series.map((node, at) => (
        <SeriesRow
          // biome-ignore lint/suspicious/noArrayIndexKey: two series may be alike
          key={at}
          node={node}
          at={at}
          words={words}
          hasMath={hasMath}
          onChange={(changed) => onChange(series.with(at, changed))}
          {...(at > 0 && { onUp: () => moved(at, at - 1) })}
          {...(at < series.length - 1 && { onDown: () => moved(at, at + 1) })}
          {...(series.length < most && { onCopy: () => onChange(series.toSpliced(at, 0, node)) })}
          {...(series.length > least && { onRemove: () => onChange(series.toSpliced(at, 1)) })}
        />
      ))}
      {series.length < most && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            onChange([...series, hasMath ? { ...ANY_EVENT, math: 'total' } : ANY_EVENT])
          }
        >
          Add {words.one}
        </Button>
      )}
    </Stack>
  )
}
