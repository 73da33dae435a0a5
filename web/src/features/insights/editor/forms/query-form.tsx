import { Stack, Switch } from '@mantine/core'
import type { ComponentType } from 'react'
import type { CommonFields } from '#model/query-kinds/common.schema.ts'
import { kindOf, type Query } from '#model/query-kinds/index.ts'
import { FilterGroups } from '../filters/filter-groups.tsx'
import { listEvents } from '../query-model.ts'
import type { FormProps } from './section.tsx'
import { Section } from './section.tsx'

/** The form of each query kind, found by the kind's id. */
const FORMS = import.meta.glob<ComponentType<FormProps<Query>>>('../../kinds/*/form.tsx', {
  eager: true,
  import: 'default',
})

/** The form of the query kind, and the filters. */
export function QueryForm(props: FormProps<Query>) {
  const { source, onChange } = props
  const kind = kindOf(source)
  const KindForm = FORMS[`../../kinds/${kind?.id}/form.tsx`]
  const { properties, filterTestAccounts } = source as CommonFields
  const set = (changed: CommonFields) => onChange({ ...source, ...changed } as Query)
  return (
    <Stack gap="lg">
      {KindForm && <KindForm {...props} />}
      {kind?.fields.filters && (
        <Section title="Filters">
          <FilterGroups
            properties={properties}
            path="properties"
            event={listEvents(source)[0]?.event}
            onChange={(changed) => set({ properties: changed ?? null })}
          />
          <Switch
            label="Exclude test accounts"
            checked={filterTestAccounts ?? false}
            onChange={({ currentTarget }) => set({ filterTestAccounts: currentTarget.checked })}
          />
        </Section>
      )}
    </Stack>
  )
}
