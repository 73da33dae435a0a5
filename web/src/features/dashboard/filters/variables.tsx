import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Dashboard } from '../../../../../src/features/dashboards/schema.ts'
import type { DashboardSearch } from '../../dashboards/search.ts'
import { listVariables } from './override.ts'

interface VariablesProps {
  readonly dashboard: Dashboard
  readonly search: DashboardSearch
  readonly onChange: (change: Pick<DashboardSearch, 'variables'>) => void
}

/** What SQL on this dashboard asks for, each as a field. */
export function Variables({ dashboard, search, onChange }: VariablesProps) {
  return listVariables(dashboard, search).map(({ name, value }) => (
    <Variable
      key={`${name}=${value}`}
      name={name}
      value={value}
      onSave={(text) => onChange({ variables: { ...search.variables, [name]: text } })}
    />
  ))
}

interface VariableProps {
  readonly name: string
  readonly value: string
  readonly onSave: (text: string) => void
}

function Variable({ name, value, onSave }: VariableProps) {
  const [draft, setDraft] = useState(value)
  const save = () => {
    if (draft !== value) onSave(draft)
  }
  return (
    <TextInput
      size="xs"
      w={180}
      aria-label={`Variable ${name}`}
      leftSection={name}
      leftSectionWidth={name.length * 7 + 20}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save()
      }}
    />
  )
}
