import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import type { DashboardSearch } from '../../dashboard-list/search.ts'
import { listVariables } from './override.ts'

const Variable = lazyComponent(async () => (await import('./variable.tsx')).Variable)

interface VariablesProps {
  readonly dashboard: Dashboard
  readonly search: DashboardSearch
  readonly onChange: (change: Pick<DashboardSearch, 'variables'>) => void
}

/** One field for each SQL variable of the dashboard. */
export function VariableFields({ dashboard, search, onChange }: VariablesProps) {
  return listVariables(dashboard, search).map(({ name, value }) => (
    <Variable
      key={`${name}=${value}`}
      name={name}
      value={value}
      onSave={(text) => onChange({ variables: { ...search.variables, [name]: text } })}
    />
  ))
}
