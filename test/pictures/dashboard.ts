import type { DashboardPicture, TilePicture } from '#server/pictures/contract.ts'
import { chartOf } from '../support/data/results.ts'

export const place = (x: number, y: number, w: number, h: number) => ({ sm: { x, y, w, h } })

export const tileOf = (name: string, layouts: object, color: string | null = null): TilePicture => {
  const { title, query, result } = chartOf(name)
  return { title, query, result, layouts, color }
}

/** Two pages of tiles, one of each kind. */
export const DASHBOARD: DashboardPicture = {
  title: 'Product analytics',
  description: 'How the shop is doing this month.',
  takenAt: '2026-11-15T08:00:00.000Z',
  tiles: [
    tileOf('trends-number-compare', place(0, 0, 4, 3), 'blue'),
    tileOf('trends-number', place(4, 0, 4, 3)),
    {
      title: '',
      color: null,
      layouts: place(8, 0, 4, 3),
      text: '# March\n\nNumbers of the **Demo data** app, see [the docs](https://docs.test).',
    },
    tileOf('trends-line', place(0, 3, 6, 5), 'blue'),
    tileOf('trends-breakdown', place(6, 3, 6, 5), 'green'),
    tileOf('lifecycle', place(0, 8, 6, 5), 'purple'),
    tileOf('retention', place(6, 8, 6, 5), 'blue'),
    tileOf('trends-bar-value', place(0, 13, 6, 5), 'black'),
    tileOf('funnel-breakdown', place(6, 13, 6, 5), 'green'),
    {
      title: 'Broken',
      color: 'red',
      layouts: place(0, 18, 6, 4),
      problem: 'The property does not exist.',
    },
    tileOf('trends-empty', place(6, 18, 6, 4)),
  ],
}
