import { Stack, Switch } from '@mantine/core'
import type { ComponentType } from 'react'
import type { Query } from '#model/query-kinds/index.ts'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import { FilterGroups } from '../filters/filter-groups.tsx'
import { eventsOf } from '../query-model.ts'
import { FunnelForm } from './funnel-form.tsx'
import { PathsForm } from './paths-form.tsx'
import { LifecycleForm, StickinessForm } from './presence-forms.tsx'
import { RetentionForm } from './retention-form.tsx'
import type { FormProps } from './section.tsx'
import { Section } from './section.tsx'
import { TrendsForm } from './trends-form.tsx'

type FormQuery = Exclude<Query, HogQLQuery>

/** The form of each kind; SQL has an editor instead. */
const FORMS: {
  readonly [K in FormQuery['kind']]: ComponentType<FormProps<Extract<FormQuery, { kind: K }>>>
} = {
  TrendsQuery: TrendsForm,
  FunnelsQuery: FunnelForm,
  RetentionQuery: RetentionForm,
  LifecycleQuery: LifecycleForm,
  StickinessQuery: StickinessForm,
  PathsQuery: PathsForm,
}

/** The form of the query kind, and the filters. */
export function QueryForm({ source, onChange }: FormProps<FormQuery>) {
  const KindForm = FORMS[source.kind] as ComponentType<FormProps<FormQuery>>
  return (
    <Stack gap="lg">
      <KindForm source={source} onChange={onChange} />
      <Section title="Filters">
        <FilterGroups
          properties={source.properties}
          path="properties"
          event={eventsOf(source)[0]?.event}
          onChange={(properties) =>
            onChange({ ...source, properties: properties ?? null } as FormQuery)
          }
        />
        <Switch
          label="Exclude test accounts"
          checked={source.filterTestAccounts ?? false}
          onChange={({ currentTarget }) =>
            onChange({ ...source, filterTestAccounts: currentTarget.checked })
          }
        />
      </Section>
    </Stack>
  )
}
