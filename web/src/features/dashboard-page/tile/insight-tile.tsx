import { Button, Loader, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { ChartPoint } from '#model/chart.ts'
import { notAppliedNote } from '#model/not-applied-note.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { ChartView } from '../../../ui/chart/chart.tsx'
import { toChart } from '../../../ui/chart/to-chart.ts'
import { EditableText } from '../../../ui/form/editable-text.tsx'
import {
  canShowPersons,
  DataDialog,
  usePersonsDialog,
} from '../../persons/behind-point/use-persons-dialog.tsx'
import { useDashboardContext } from '../context.ts'
import { hasQuery, isComputing, tileError, tileTitle } from './state.ts'
import classes from './tile.module.css'
import { TileMenu } from './tile-menu.tsx'

type Insight = NonNullable<Tile['insight']>

interface InsightTileProps {
  readonly tile: Tile
  readonly insight: Insight
}

export function InsightTile({ tile, insight }: InsightTileProps) {
  const { editor, canEdit, isKiosk, isPhone } = useDashboardContext()
  const [isRenaming, setRenaming] = useState(false)
  const [isDataOpen, dataDialog] = useDisclosure()
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
        {!isKiosk && (
          <TileMenu tile={tile} onRename={() => setRenaming(true)} onData={dataDialog.open} />
        )}
      </header>
      {tile.show_description && insight.description && (
        <p className={classes.about}>{insight.description}</p>
      )}
      <div className={classes.body}>
        <InsightBody tile={tile} insight={insight} />
        {isDataOpen && <TileData tile={tile} insight={insight} onClose={dataDialog.close} />}
      </div>
      <NotApplied tile={tile} insight={insight} />
    </>
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
  const { listFilters } = useDashboardContext()
  const { title, query, result } = toChart(insight)
  const { showPersons, personsDialog } = usePersonsDialog()
  const chart = { query, result, filters: listFilters(tile) ?? [] }
  return (
    <>
      <DataDialog
        title={title}
        chart={chart}
        onPoint={(point) => showPersons({ chart, point })}
        onClose={onClose}
      />
      {personsDialog}
    </>
  )
}

function InsightBody({ tile, insight }: InsightTileProps) {
  const { id, name, query, result, columns } = insight
  const { refreshTile, listFilters, isKiosk } = useDashboardContext()
  const { showPersons, personsDialog } = usePersonsDialog()
  const chart = useMemo(
    () => toChart({ id, name: name || 'Insight', query, result, columns }),
    [id, name, query, result, columns],
  )
  const onPoint = useMemo(() => {
    if (isKiosk || !canShowPersons(query)) return undefined
    return (point: ChartPoint) => {
      const filters = listFilters(tile)
      if (filters) showPersons({ chart: { query, result, filters }, point })
    }
  }, [tile, query, result, isKiosk, listFilters, showPersons])
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
    return (
      <Skeleton height="100%" radius="md" animate={false} role="status" aria-label="Computing" />
    )
  }
  return (
    <>
      <ChartView chart={chart} onPoint={onPoint} />
      {personsDialog}
    </>
  )
}
