import { FIGURE, type TileSpec } from '../lay-out.ts'
import { figure } from '../queries.ts'

interface Options {
  /** The thing that it counts, if the name does not say it. */
  readonly about?: string
  readonly formula?: string
}

/** A headline figure of the last 30 days, compared with those before. */
export const monthlyFigure = (
  name: string,
  series: Parameters<typeof figure>[1],
  { about, formula }: Options = {},
): TileSpec => ({
  name,
  description: [about, 'Compared with the previous 30 days.'].filter(Boolean).join(' '),
  ...FIGURE,
  query: figure('-30d', series, formula ? { formula } : {}),
})
