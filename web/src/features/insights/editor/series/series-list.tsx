import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { ALL_EVENTS } from '#model/query-kinds/events.ts'
import { Sortable } from '../../../../ui/list/sortable.tsx'
import classes from '../editor.module.css'
import { SeriesRow, type SeriesWords, seriesName } from './series-row.tsx'
import { moveItem, useRowIds } from './use-row-ids.ts'

interface SeriesListProps {
  readonly series: readonly EventsNode[]
  readonly words: SeriesWords
  readonly hasMath?: boolean
  readonly least?: number
  readonly most: number
  readonly onChange: (series: EventsNode[]) => void
}

/** The counted events or the steps of a funnel. */
export function SeriesList({
  series,
  words,
  hasMath = false,
  least = 1,
  most,
  onChange,
}: SeriesListProps) {
  const rows = useRowIds(series.length)
  const move = (from: number, to: number) => {
    rows.move(from, to)
    onChange(moveItem(series, from, to))
  }
  const copy = (at: number, node: EventsNode) => {
    rows.insert(at)
    onChange(series.toSpliced(at, 0, node))
  }
  const remove = (at: number) => {
    rows.remove(at)
    onChange(series.toSpliced(at, 1))
  }
  return (
    <Stack gap="xs">
      <Sortable
        items={rows.ids.map((id, at) => ({ id, name: seriesName(words, at) }))}
        onMove={move}
      >
        {series.map((node, at) => (
          <SeriesRow
            key={rows.ids[at]}
            id={rows.ids[at] ?? at}
            node={node}
            at={at}
            words={words}
            hasMath={hasMath}
            isMovable={series.length > 1}
            onChange={(changed) => onChange(series.with(at, changed))}
            {...(at > 0 && { onUp: () => move(at, at - 1) })}
            {...(at < series.length - 1 && { onDown: () => move(at, at + 1) })}
            {...(series.length < most && { onCopy: () => copy(at, node) })}
            {...(series.length > least && { onRemove: () => remove(at) })}
          />
        ))}
      </Sortable>
      {series.length < most && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          className={classes.start ?? ''}
          onClick={() =>
            copy(series.length, hasMath ? { ...ALL_EVENTS, math: 'total' } : ALL_EVENTS)
          }
        >
          Add {words.one}
        </Button>
      )}
    </Stack>
  )
}
