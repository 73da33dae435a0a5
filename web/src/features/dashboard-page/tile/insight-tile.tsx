import { ActionIcon, Button, Loader, Skeleton, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconBellRinging } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { Chart, ChartPoint } from '#model/chart.ts'
import { notAppliedNote } from '#model/not-applied-note.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { ChartView } from '../../../ui/chart/chart.tsx'
import { toChart } from '../../../ui/chart/to-chart.ts'
import { EditableText } from '../../../ui/form/editable-text.tsx'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { useBrokenImports } from '../../apps/schedule/health.ts'
import { useFiringInsights } from '../../notifications/lists.ts'
import {
  canShowPersons,
  DataDialog,
  usePersonsDialog,
} from '../../persons/behind-point/use-persons-dialog.tsx'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'
import { readsEvents } from './reads-events.ts'
import { hasQuery, isComputing, tileError, tileTitle } from './state.ts'
import classes from './tile.module.css'
import { TileMenu } from './tile-menu.tsx'
import { usePointMenu } from './use-point-menu.tsx'

const NotificationsDrawer = lazyComponent(async () => (await loadDialogs()).NotificationsDrawer)

type Insight = NonNullable<Tile['insight']>

interface InsightTileProps {
  readonly tile: Tile
  readonly insight: Insight
}

export function InsightTile({ tile, insight }: InsightTileProps) {
  const { editor, canEdit, isKiosk, isPhone } = useDashboardContext()
  const [isRenaming, setRenaming] = useState(false)
  const [isDataOpen, dataDialog] = useDisclosure()
  const [isAlertsOpen, alertsDrawer] = useDisclosure()
  const isFiring = useFiringInsights().includes(insight.id)
  return (
    <>
      <header
        className={`tile-head ${classes.head}`}
        data-movable={(canEdit && !isPhone) || undefined}
      >
        <h2 className={classes.title}>
          {isRenaming ? (
            <EditableText
              startsOpen
              size="xs"
              value={insight.name}
              label="Insight name"
              placeholder={insight.derived_name || 'Untitled insight'}
              onSave={(name) =>
                editor.edit('Renamed an insight', { insight: { id: insight.id, name } })
              }
              onClose={() => setRenaming(false)}
            />
          ) : (
            <InsightLink tile={tile} insight={insight} />
          )}
        </h2>
        {isComputing(tile) && <Loader size={14} role="status" aria-label="Computing" />}
        {isFiring && <FiringBadge onOpen={isKiosk ? undefined : alertsDrawer.open} />}
        {!isKiosk && (
          <TileMenu
            tile={tile}
            onRename={() => setRenaming(true)}
            onData={dataDialog.open}
            onAlerts={alertsDrawer.open}
          />
        )}
      </header>
      {tile.show_description && insight.description && (
        <p className={classes.about}>{insight.description}</p>
      )}
      <div className={classes.body}>
        <InsightBody tile={tile} insight={insight} />
        {isAlertsOpen && (
          <NotificationsDrawer
            of={{ insight: insight.id, name: tileTitle(tile) }}
            onClose={alertsDrawer.close}
          />
        )}
        {isDataOpen && <TileData tile={tile} insight={insight} onClose={dataDialog.close} />}
      </div>
      <NotApplied tile={tile} insight={insight} />
      <BrokenImports query={insight.query} />
    </>
  )
}

/** Says that an alert of the insight fires, and opens its alerts. */
function FiringBadge({ onOpen }: { readonly onOpen: (() => void) | undefined }) {
  const label = 'An alert is firing'
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="sm"
        color="red"
        variant="light"
        aria-label={label}
        {...(onOpen ? { onClick: onOpen } : { component: 'span', role: 'img' })}
      >
        <IconBellRinging size={14} />
      </ActionIcon>
    </Tooltip>
  )
}

function NotApplied({ tile, insight }: InsightTileProps) {
  const note = notAppliedNote(tile.filters_not_applied)
  if (!note) return null
  const isWritten = kindOf(insight.query)?.textField !== undefined
  return (
    <footer className={classes.foot}>
      <span title={isWritten ? 'Use {filters} in the SQL to apply them.' : undefined}>{note}</span>
    </footer>
  )
}

/** Says that events of the tile come from an import that fails or is late. */
function BrokenImports({ query }: Pick<Insight, 'query'>) {
  const broken = useBrokenImports().filter(({ event_names }) => readsEvents(query, event_names))
  if (broken.length === 0) return null
  const notes = broken.map(
    ({ name, state }) => `${name} ${state === 'stale' ? 'is late' : 'fails'}`,
  )
  return (
    <footer className={classes.foot}>
      <span>Data may be out of date: {notes.join(', ')}.</span>
    </footer>
  )
}

function InsightLink({ tile, insight }: InsightTileProps) {
  const projectId = `${useProjectId()}`
  // dragging a tile by its name is not a click
  const pressedAt = useRef<readonly [number, number]>([0, 0])
  return (
    <Link
      to="/project/$projectId/insights/$shortId"
      params={{ projectId, shortId: insight.short_id }}
      className={classes.link}
      title={(tile.show_description === null && insight.description) || tileTitle(tile)}
      draggable={false}
      onPointerDown={({ screenX, screenY }) => {
        pressedAt.current = [screenX, screenY]
      }}
      onClick={(event) => {
        const [x, y] = pressedAt.current
        const wasDragged = Math.hypot(event.screenX - x, event.screenY - y) > 4
        if (wasDragged && event.detail > 0) event.preventDefault()
      }}
    >
      {tileTitle(tile)}
    </Link>
  )
}

/** The data with the filters that were applied, so that the persons behind it can be found. */
function TileData({ tile, insight, onClose }: InsightTileProps & { readonly onClose: () => void }) {
  const { listFilters, isViewer } = useDashboardContext()
  const { title, query, result } = toChart(insight)
  const { showPersons, personsDialog } = usePersonsDialog()
  const chart = { query, result, filters: listFilters(tile) ?? [] }
  const { openMenu, pointMenu } = usePointMenu(tile, onClose)
  return (
    <>
      <DataDialog
        title={title}
        chart={chart}
        onPoint={
          isViewer
            ? undefined
            : (point) => void openMenu(chart, point, () => showPersons({ chart, point }))
        }
        onClose={onClose}
      />
      {pointMenu}
      {personsDialog}
    </>
  )
}

function InsightBody({ tile, insight }: InsightTileProps) {
  const { id, name, query, result, columns } = insight
  const { refreshTile, listFilters, isKiosk, isViewer } = useDashboardContext()
  const { showPersons, personsDialog } = usePersonsDialog()
  const { openMenu, pointMenu } = usePointMenu(tile)
  const chart = useMemo(
    () => toChart({ id, name: name || 'Insight', query, result, columns }),
    [id, name, query, result, columns],
  )
  const shown = useLastResult(chart)
  const onPoint = useMemo(() => {
    if (isKiosk || isViewer || !canShowPersons(query)) return undefined
    return (point: ChartPoint) => {
      const filters = listFilters(tile)
      if (!filters) return
      const shown = { query, result, filters }
      void openMenu(shown, point, () => showPersons({ chart: shown, point }))
    }
  }, [tile, query, result, isKiosk, isViewer, listFilters, showPersons, openMenu])
  const problem = tileError(tile)
  if (!hasQuery(tile)) {
    return (
      <div className={classes.center}>
        <Text size="sm" c="dimmed">
          This insight has no query. Open it to add one.
        </Text>
      </div>
    )
  }
  if (problem && !isComputing(tile)) {
    return (
      <div className={classes.center} role="alert">
        <IconAlertTriangle size={24} stroke={1.5} aria-hidden />
        <Text size="sm">{problem}</Text>
        <Button size="compact-sm" variant="default" onClick={() => refreshTile(tile)}>
          Try again
        </Button>
      </div>
    )
  }
  if (result === null || result === undefined) {
    if (!shown) {
      return (
        <Skeleton height="100%" radius="md" animate={false} role="status" aria-label="Computing" />
      )
    }
    return (
      <div className={classes.outdated} aria-busy>
        <ChartView chart={shown} />
      </div>
    )
  }
  return (
    <>
      <ChartView chart={chart} onPoint={onPoint} />
      {pointMenu}
      {personsDialog}
    </>
  )
}

/** Returns the chart as it last had a result, which stays while the next one is computed. */
function useLastResult(chart: Chart): Chart | undefined {
  const [last, setLast] = useState<Chart>()
  const hasResult = chart.result !== null && chart.result !== undefined
  if (hasResult && last !== chart) setLast(chart)
  return last?.insightId === chart.insightId ? last : undefined
}
