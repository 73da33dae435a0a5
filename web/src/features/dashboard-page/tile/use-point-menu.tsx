import { useWindowEvent } from '@mantine/hooks'
import { useCallback, useRef, useState } from 'react'
import type { ChartPoint } from '#model/chart.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import type { SearchFilter } from '../../dashboard-list/search.ts'
import type { ShownChart } from '../../persons/behind-point/point.ts'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'

const PointMenu = lazyComponent(async () => (await loadDialogs()).PointMenu)

interface Opened {
  readonly at: readonly [number, number]
  readonly filters: readonly SearchFilter[]
  readonly showPersons: () => void
}

/** Offers to filter the other tiles by the value that was clicked, or to see its persons. */
export function usePointMenu(tile: Tile, onFilter?: () => void) {
  const { filterByValue } = useDashboardContext()
  const [opened, setOpened] = useState<Opened>()
  const clickedAt = useRef<readonly [number, number]>([0, 0])
  // a chart does not say where it was clicked
  useWindowEvent('click', (event) => (clickedAt.current = toPosition(event)), { capture: true })

  const openMenu = useCallback(
    async (chart: ShownChart, point: ChartPoint, showPersons: () => void) => {
      const at = clickedAt.current
      const { toValueFilters } = await loadDialogs()
      const filters = toValueFilters(chart, point)
      if (filters) setOpened({ at, filters, showPersons })
      else showPersons()
    },
    [],
  )
  const pointMenu = opened && (
    <PointMenu
      {...opened}
      onFilter={() => {
        filterByValue(tile, opened.filters)
        onFilter?.()
      }}
      onClose={() => setOpened(undefined)}
    />
  )
  return { openMenu, pointMenu }
}

/** A key that presses a button clicks it without a position. */
function toPosition({ detail, clientX, clientY, target }: MouseEvent): readonly [number, number] {
  if (detail > 0 || !(target instanceof Element)) return [clientX, clientY]
  const { left, bottom } = target.getBoundingClientRect()
  return [left, bottom]
}
