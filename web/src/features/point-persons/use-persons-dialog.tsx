import { type ReactNode, useState } from 'react'
import type { Chart, ChartPoint } from '#model/chart.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'

const PersonsDialog = lazyComponent(
  async () => (await import('./persons-dialog.tsx')).PersonsDialog,
)

/** Tells whether a query has points with persons; SQL has none. */
export const canShowPersons = (query: object): boolean => {
  const kind = kindOf(query)
  return kind !== undefined && kind.textField === undefined
}

interface Shown {
  readonly chart: Pick<Chart, 'query' | 'result'>
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
