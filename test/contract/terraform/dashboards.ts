import { type Exchange, refresh } from './exchange.ts'
import { DASHBOARDS } from './prepare.ts'

const dashboard = {
  id: '$dashboard',
  name: 'Growth',
  description: 'Managed by Terraform',
  pinned: true,
  tags: ['growth', 'terraform'],
  deleted: false,
}
const emptied = { ...dashboard, name: 'Growth 2', description: null, pinned: false, tags: ['x'] }

export const dashboards: readonly Exchange[] = [
  {
    step: 'apply',
    send: `POST ${DASHBOARDS}`,
    body: {
      name: 'Growth',
      description: 'Managed by Terraform',
      pinned: true,
      tags: ['growth', 'terraform'],
    },
    saves: { dashboard: 'id' },
    reads: 'dashboard',
    state: dashboard,
  },
  ...refresh({ send: `GET ${DASHBOARDS}$dashboard/`, reads: 'dashboard', state: dashboard }),
  {
    step: 'update',
    send: `PATCH ${DASHBOARDS}$dashboard/`,
    body: { name: 'Growth 2', description: '', pinned: false, tags: ['x'], deleted: false },
    reads: 'dashboard',
    state: emptied,
  },
  ...refresh({ send: `GET ${DASHBOARDS}$dashboard/`, reads: 'dashboard', state: emptied }),
  { step: 'destroy', send: `PATCH ${DASHBOARDS}$dashboard/`, body: { deleted: true } },
  {
    // it stays readable in the trash, and is in no list
    step: 'gone',
    send: `GET ${DASHBOARDS}$dashboard/`,
    reads: 'dashboard',
    state: { ...emptied, deleted: true },
  },
]
