import { toCountryName } from '../countries.ts'
import { SHAPES } from './shapes.ts'

type Ring = [x: number, y: number][]

/** Returns the countries as ECharts takes them, by their names. */
export const toGeoJson = () => ({
  type: 'FeatureCollection' as const,
  features: Object.entries(SHAPES).map(([code, shape]) => ({
    type: 'Feature' as const,
    properties: { name: toCountryName(code) },
    geometry: {
      type: 'MultiPolygon' as const,
      coordinates: shape.split(';').map((polygon) => polygon.split('|').map(toRing)),
    },
  })),
})

/** Reads points that are differences to the one before: `x y dx dy dx dy`. */
function toRing(text: string): Ring {
  const numbers = text.split(' ').map(Number)
  const ring: Ring = []
  let [x, y] = [0, 0]
  for (let at = 0; at < numbers.length; at += 2) {
    x += numbers[at] as number
    y += numbers[at + 1] as number
    ring.push([x, y])
  }
  return [...ring, ring[0] as Ring[number]]
}
