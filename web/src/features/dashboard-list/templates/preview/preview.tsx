import { useMemo } from 'react'
import { toLabel } from '#model/format.ts'
import { COLUMNS, GAP, ROW_HEIGHT } from '#model/grid.ts'
import { fieldsOf, isObject } from '#model/json.ts'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'
import { ChartView } from '../../../../ui/chart/chart.tsx'
import { useSize } from '../../../../ui/chart/use-size.ts'
import { type SketchTile, toSketchTiles } from '../sketch-tiles.ts'
import classes from '../templates.module.css'
import { toSampleResult } from './sample-result.ts'

/** The dashboard is drawn as wide as on a screen and then made smaller, so that its charts look as there. */
const WIDTH = 1200
/** The picture shows the top of it. */
const HEIGHT = 640
const COLUMN = (WIDTH + GAP) / COLUMNS

/** The top of a dashboard as the template creates it, with made-up numbers. */
export default function TemplatePreview({ template }: { readonly template: DashboardTemplate }) {
  const { ref, width } = useSize<HTMLDivElement>()
  const places = useMemo(() => toSketchTiles(template), [template])
  return (
    <div ref={ref} className={classes.preview} aria-hidden="true" inert>
      <div className={classes.stage} style={{ transform: `scale(${width / WIDTH})` }}>
        {template.tiles.map((tile, at) => {
          const place = places[at]
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiles of a template have no ids
          return place && toTop(place) < HEIGHT && <Tile key={at} tile={tile} place={place} />
        })}
      </div>
    </div>
  )
}

const toTop = ({ y }: SketchTile): number => y * (ROW_HEIGHT + GAP)

interface TileProps {
  readonly tile: object
  readonly place: SketchTile
}

function Tile({ tile, place }: TileProps) {
  const { x, w, h, name, sketch } = place
  const { query, body } = fieldsOf(tile)
  const chart = useMemo(
    () => isObject(query) && { title: name, query, result: toSampleResult(query) },
    [name, query],
  )
  const box = {
    left: x * COLUMN,
    top: toTop(place),
    width: w * COLUMN - GAP,
    height: h * (ROW_HEIGHT + GAP) - GAP,
  }
  return (
    <section
      className={sketch === 'title' ? classes.previewTitle : classes.previewTile}
      style={box}
    >
      <p className={classes.previewName}>
        {chart ? toLabel(name) : String(body ?? '').replace(/[#*_`>]/g, '')}
      </p>
      {chart && (
        <div className={classes.previewChart}>
          <ChartView chart={chart} />
        </div>
      )}
    </section>
  )
}
