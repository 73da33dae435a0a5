import { COLUMNS } from '#model/grid.ts'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'
import { type SketchName, type SketchTile, toSketchTiles } from './sketch-tiles.ts'
import classes from './templates.module.css'

const COLUMN = 20
const ROW = 6.4
const GAP = 3
const HEIGHT = 128
/** A lower tile, such as a headline figure, has room for its symbol only. */
const MIN_TITLED = 16

/** Draws the template's layout, with a chart symbol in each tile. */
export function TemplateSketch({ template }: { readonly template: DashboardTemplate }) {
  return (
    <svg
      className={classes.sketch}
      viewBox={`0 0 ${COLUMNS * COLUMN} ${HEIGHT}`}
      preserveAspectRatio="xMidYMin slice"
      aria-hidden="true"
    >
      {toSketchTiles(template).map((tile) => (
        <Tile key={`${tile.x} ${tile.y} ${tile.name}`} {...tile} />
      ))}
    </svg>
  )
}

function Tile({ sketch, x, y, w, h }: SketchTile) {
  const box = {
    x: x * COLUMN + GAP / 2,
    y: y * ROW + GAP / 2,
    width: w * COLUMN - GAP,
    height: h * ROW - GAP,
  }
  if (box.y > HEIGHT) return null
  if (sketch === 'title') {
    return <rect {...box} y={box.y + 1} width={60} height={2} rx={1} className={classes.title} />
  }
  const isLow = box.height < MIN_TITLED
  return (
    <g>
      <rect {...box} rx={3} className={classes.tile} />
      {sketch !== 'text' && !isLow && (
        <rect
          x={box.x + 5}
          y={box.y + 4.5}
          width={Math.min(box.width * 0.35, 34)}
          height={2}
          rx={1}
          className={classes.title}
        />
      )}
      <svg
        x={box.x + 5}
        y={box.y + (isLow ? 1.5 : 9)}
        width={Math.max(box.width - 10, 0)}
        height={Math.max(box.height - (isLow ? 3 : 13), 0)}
        viewBox="0 0 100 40"
        preserveAspectRatio={KEPT.includes(sketch) ? 'xMidYMid meet' : 'none'}
        aria-hidden="true"
      >
        {SKETCHES[sketch]}
      </svg>
    </g>
  )
}

/** Sketches that keep their proportions; the others fill the tile. */
const KEPT: readonly SketchName[] = ['number', 'pie']

const columns = (heights: readonly number[], className: string | undefined) =>
  heights.map((height, index) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
      key={index}
      x={(index * 100) / heights.length + 1.5}
      y={40 - height}
      width={100 / heights.length - 3}
      height={height}
      className={className}
    />
  ))

const rows = (widths: readonly number[], className: string | undefined) =>
  widths.map((width, index) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
      key={index}
      x={0}
      y={(index * 40) / widths.length + 1}
      width={width}
      height={40 / widths.length - 3}
      className={className}
    />
  ))

/** Draws rows of cells that fade to the right; `shift` moves the fading from row to row. */
const cells = (lengths: readonly number[], shift: number) =>
  lengths.map((length, row) =>
    Array.from({ length }, (_, column) => (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
        key={`${row} ${column}`}
        x={column * 16.6 + 0.5}
        y={row * 8 + 0.5}
        width={15.4}
        height={7}
        className={classes.ink}
        opacity={0.9 - ((column + row * shift) % 6) * 0.14}
      />
    )),
  )

const SKETCHES: Readonly<Record<SketchName, React.ReactNode>> = {
  line: (
    <>
      <polygon
        points="0,40 0,30 17,24 33,27 50,15 67,18 83,8 100,4 100,40"
        className={classes.area}
      />
      <polyline points="0,30 17,24 33,27 50,15 67,18 83,8 100,4" className={classes.line} />
    </>
  ),
  area: (
    <>
      <polygon points="0,40 0,18 25,12 50,16 75,6 100,2 100,40" className={classes.area} />
      <polygon points="0,40 0,32 25,28 50,30 75,22 100,18 100,40" className={classes.ink} />
    </>
  ),
  bar: columns([14, 22, 18, 28, 24, 34, 30, 38], classes.ink),
  totals: rows([96, 72, 55, 38, 24], classes.ink),
  number: (
    <text x={50} y={29} textAnchor="middle" className={classes.figure}>
      123
    </text>
  ),
  gauge: (
    <>
      <path d="M26,34 A24,24 0 0 1 74,34" className={classes.ring} />
      <path d="M26,34 A24,24 0 0 1 62,13" className={classes.line} />
    </>
  ),
  pie: (
    <>
      <circle cx={50} cy={20} r={13} className={classes.ring} />
      <circle cx={50} cy={20} r={13} className={classes.arc} pathLength={100} />
    </>
  ),
  funnel: columns([38, 25, 14], classes.ink),
  table: rows([100, 100, 100, 100, 100], classes.soft),
  calendar: cells([6, 6, 6, 6, 6], 4),
  box: (
    <>
      <path d="M12,6V34M37,2V26M62,10V38M87,4V30" className={classes.line} />
      {columns([14, 18, 12, 20], classes.ink)}
    </>
  ),
  map: (
    <>
      <polygon points="4,6 24,3 32,9 24,17 17,19 12,14" className={classes.ink} />
      <polygon points="24,21 33,23 31,31 26,38 23,29" className={classes.soft} />
      <polygon points="44,5 56,3 58,11 47,13" className={classes.ink} />
      <polygon points="45,16 59,15 62,23 54,35 47,23" className={classes.soft} />
      <polygon points="60,4 92,4 88,14 77,20 69,16 61,13" className={classes.ink} opacity={0.6} />
      <polygon points="79,27 92,26 92,34 81,34" className={classes.soft} />
    </>
  ),
  grid: cells([6, 5, 4, 3, 2], 0),
  flow: (
    <>
      <path d="M0,8 C50,8 50,4 100,4" className={classes.stream} />
      <path d="M0,12 C50,12 50,22 100,22" className={classes.stream} />
      <path d="M0,32 C50,32 50,26 100,26" className={classes.stream} />
      <path d="M0,36 C50,36 50,37 100,37" className={classes.stream} />
    </>
  ),
  text: rows([90, 100, 70], classes.soft),
  title: null,
}
