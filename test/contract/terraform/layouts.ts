import { type Exchange, refresh } from './exchange.ts'
import { createDashboard, createInsight, DASHBOARDS, INSIGHTS } from './prepare.ts'

const at = (x: number, y: number) => ({ sm: { x, y, w: 6, h: 5 }, xs: { x: 0, y, w: 1, h: 5 } })
const tile = {
  id: '$tile',
  insight: { id: '$insight' },
  text: null,
  layouts: at(0, 0),
  color: 'blue',
  show_description: true,
}
const text = {
  id: '$text',
  insight: null,
  text: { body: '# Growth' },
  layouts: at(0, 5),
  color: null,
  show_description: null,
}
const layout = { id: '$dashboard', tiles: [tile, text] }
const changedLayout = {
  id: '$dashboard',
  tiles: [
    { ...tile, color: null, show_description: null, layouts: at(6, 0) },
    { ...text, text: { body: 'Numbers' }, color: 'green' },
  ],
}

export const layouts: readonly Exchange[] = [
  createDashboard,
  createInsight,
  {
    step: 'apply',
    send: `GET ${DASHBOARDS}$dashboard/`,
    reads: 'layout',
    state: { id: '$dashboard', tiles: null },
  },
  { step: 'apply', send: `GET ${INSIGHTS}$insight/`, reads: 'insight' },
  { step: 'apply', send: `PATCH ${INSIGHTS}$insight/`, body: { dashboards: ['$dashboard'] } },
  {
    step: 'apply',
    send: `GET ${DASHBOARDS}$dashboard/`,
    reads: 'layout',
    saves: { tile: 'tiles.0.id' },
  },
  {
    step: 'apply',
    send: `PATCH ${DASHBOARDS}$dashboard/`,
    body: {
      tiles: [
        { id: '$tile', color: 'blue', layouts: at(0, 0), show_description: true },
        { color: '', layouts: at(0, 5), text: { body: '# Growth' }, show_description: null },
      ],
    },
    saves: { text: 'tiles.1.id' },
    reads: 'layout',
    state: layout,
  },
  ...refresh({ send: `GET ${DASHBOARDS}$dashboard/`, reads: 'layout', state: layout }),
  {
    step: 'update',
    send: `PATCH ${DASHBOARDS}$dashboard/`,
    body: {
      tiles: [
        { id: '$tile', color: '', layouts: at(6, 0), show_description: null },
        {
          id: '$text',
          color: 'green',
          layouts: at(0, 5),
          text: { body: 'Numbers' },
          show_description: null,
        },
      ],
    },
    reads: 'layout',
    state: changedLayout,
  },
  ...refresh({ send: `GET ${DASHBOARDS}$dashboard/`, reads: 'layout', state: changedLayout }),
  {
    step: 'destroy',
    send: `PATCH ${DASHBOARDS}$dashboard/`,
    body: {
      tiles: [
        { id: '$tile', layouts: {} },
        { id: '$text', deleted: true },
      ],
    },
  },
  {
    step: 'gone',
    send: `GET ${DASHBOARDS}$dashboard/`,
    reads: 'layout',
    state: {
      id: '$dashboard',
      tiles: [{ ...tile, color: null, show_description: null, layouts: {} }],
    },
  },
]
