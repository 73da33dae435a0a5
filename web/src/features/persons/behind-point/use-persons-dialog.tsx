import { type ReactNode, useState } from 'react'
import type { ChartPoint } from '#model/chart.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import type { ShownChart } from './point.ts'

const loadDialogs = () => import('./dialogs.ts')
const PersonsDialog = lazyComponent(async () => (await loadDialogs()).PersonsDialog)
export const DataDialog = lazyComponent(async () => (await loadDialogs()).DataDialog)

/** Tells whether a query has points with persons; SQL has none. */
export const canShowPersons = (query: object): boolean => {
  const kind = kindOf(query)
  return kind !== undefined && kind.textField === undefined
}

interface Shown {
  readonly chart: ShownChart
  readonly point: ChartPoint
}

/** Opens the persons behind a point in a dialog that is loaded on first use. */
export function usePersonsDialog() {
  const [shown, setShown] = useState<Shown>()
  const personsDialog: ReactNode = shown && (
    <PersonsDialog
      {...shown}
      onPoint={(point) => setShown({ ...shown, point })}
      onClose={() => setShown(undefined)}
    />
  )
  return { showPersons: setShown, personsDialog }
}
