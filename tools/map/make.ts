import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COUNTRY_CODES } from '../../src/model/countries.ts'
import { ROOT } from '../sources.ts'

/**
 * Writes the shapes of the world map from the files of the npm package `world-atlas`, which are those of Natural Earth.
 * docs/dependencies.md has the command. Coordinates are projected here (Equal Earth), so that no chart has to.
 */
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Usage: node tools/map/make.ts <folder of world-atlas>')

type Point = readonly [x: number, y: number]
type Polygon = readonly (readonly Point[])[]

interface Geometry {
  readonly type: string
  /** A numeric code of ISO 3166-1. */
  readonly id?: string
  readonly properties: { readonly name: string }
  readonly arcs?: never
}

interface Topology {
  readonly transform: { readonly scale: Point; readonly translate: Point }
  readonly arcs: readonly (readonly Point[])[]
  readonly objects: { readonly countries: { readonly geometries: readonly Geometry[] } }
}

/** Has no visitors, and would take a quarter of the map. */
const OMITTED = ['AQ']
/** Natural Earth's areas without a code. */
const CODES: Readonly<Record<string, string>> = {
  Kosovo: 'XK',
  'N. Cyprus': 'CY',
  Somaliland: 'SO',
}
/** Countries on both sides of the 180th meridian, which are drawn on the right. */
const EASTERN = ['RU', 'FJ']
/** Longitude and latitude of countries that are parts of others in Natural Earth. */
const PLACES: Readonly<Record<string, Point>> = {
  BQ: [-68.3, 12.2],
  BV: [3.4, -54.4],
  CC: [96.9, -12.2],
  CX: [105.6, -10.5],
  GF: [-53.1, 3.9],
  GI: [-5.35, 36.1],
  GP: [-61.5, 16.2],
  MQ: [-61, 14.6],
  RE: [55.5, -21.1],
  SJ: [16, 78.5],
  TK: [-171.8, -9.2],
  TV: [179.2, -8.5],
  UM: [166.6, 19.3],
  YT: [45.2, -12.8],
}
/** Units per radian. A unit is less than half a pixel of a map that is 1,000 wide. */
const SCALE = 500
/** The radius of a country that is too small to see. */
const DOT = 12

const shapes = new Map<string, Polygon[]>()
for (const { code, polygons } of readCountries('countries-110m.json')) {
  shapes.set(code, [...(shapes.get(code) ?? []), ...polygons.map(projectPolygon)])
}
for (const { code, polygons } of readCountries('countries-50m.json')) {
  const largest = polygons.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0]
  if (!shapes.has(code) && largest) shapes.set(code, [dotAt(project(centerOf(largest)))])
}
for (const [code, place] of Object.entries(PLACES)) {
  if (!shapes.has(code)) shapes.set(code, [dotAt(project(place))])
}
const missing = COUNTRY_CODES.filter((code) => !shapes.has(code) && !OMITTED.includes(code))
if (missing.length > 0) throw new Error(`No shape: ${missing}`)
const lines = COUNTRY_CODES.filter((code) => shapes.has(code)).map(
  (code) => `  ${code}: '${shapes.get(code)?.map(encode).filter(Boolean).join(';')}',`,
)
writeFileSync(
  join(ROOT, 'src/model/world/shapes.ts'),
  [
    '/** The shapes of countries, from Natural Earth (public domain). Written by tools/map/make.ts; see geo-json.ts. */',
    'export const SHAPES: Readonly<Record<string, string>> = {',
    ...lines,
    '}',
    '',
  ].join('\n'),
)

function readCountries(name: string): { code: string; polygons: Polygon[] }[] {
  const topology = JSON.parse(readFileSync(join(folder as string, name), 'utf8')) as Topology
  const arcs = topology.arcs.map((arc) => decodeArc(topology.transform, arc))
  const toRing = (indexes: readonly number[]): Point[] =>
    indexes.flatMap((index) => {
      const points = index < 0 ? (arcs[~index] as Point[]).toReversed() : (arcs[index] as Point[])
      return points.slice(0, -1) // the next arc starts with the last point
    })
  return topology.objects.countries.geometries.flatMap((geometry) => {
    const code = CODES[geometry.properties.name] ?? toCode(geometry.id)
    if (!COUNTRY_CODES.includes(code) || OMITTED.includes(code)) return []
    const all = (geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs) as unknown
    const polygons = (all as number[][][]).map((rings) =>
      rings.map(toRing).map((ring) => (EASTERN.includes(code) ? ring.map(toEast) : ring)),
    )
    return [{ code, polygons }]
  })
}

function toEast([longitude, latitude]: Point): Point {
  return [longitude < 0 ? longitude + 360 : longitude, latitude]
}

/** Converts a numeric code to letters, as names of locales do. */
function toCode(id = ''): string {
  return /^\d{3}$/.test(id) ? (Intl.getCanonicalLocales(`und-${id}`)[0] ?? '').slice(4) : ''
}

function decodeArc({ scale, translate }: Topology['transform'], arc: readonly Point[]): Point[] {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]): Point => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** https://en.wikipedia.org/wiki/Equal_Earth_projection */
function project([longitude, latitude]: Point): Point {
  const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796]
  const angle = Math.asin((Math.sqrt(3) / 2) * Math.sin((latitude * Math.PI) / 180))
  const slope = 9 * a4 * angle ** 8 + 7 * a3 * angle ** 6 + 3 * a2 * angle ** 2 + a1
  const x = (2 * Math.sqrt(3) * ((longitude * Math.PI) / 180) * Math.cos(angle)) / (3 * slope)
  const y = a4 * angle ** 9 + a3 * angle ** 7 + a2 * angle ** 3 + a1 * angle
  return [x * SCALE, y * SCALE]
}

function projectPolygon(polygon: Polygon): Polygon {
  return polygon.map((ring) => ring.map(project))
}

function sizeOf([ring = []]: Polygon): number {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
  return (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys))
}

function centerOf([ring = []]: Polygon): Point {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return [mean(ring.map(([x]) => x)), mean(ring.map(([, y]) => y))]
}

function dotAt([x, y]: Point): Polygon {
  const corner = (at: number): Point => {
    const angle = (at * Math.PI) / 4
    return [x + DOT * Math.cos(angle), y + DOT * Math.sin(angle)]
  }
  return [[0, 1, 2, 3, 4, 5, 6, 7].map(corner)]
}

/** Writes whole units, each as the difference to the one before. */
function encode(polygon: Polygon): string {
  const rings = polygon.map((ring) => {
    let [lastX, lastY] = [0, 0]
    return ring.flatMap(([exactX, exactY], at) => {
      const [x, y] = [Math.round(exactX), Math.round(exactY)]
      const [dx, dy] = [x - lastX, y - lastY]
      if (at > 0 && dx === 0 && dy === 0) return []
      ;[lastX, lastY] = [x, y]
      return [dx, dy]
    })
  })
  // less than a triangle of points cannot be seen
  return rings
    .filter(({ length }) => length >= 6)
    .map((ring) => ring.join(' '))
    .join('|')
}
