import { Stack, Switch } from '@mantine/core'
import { FilterGroups } from '../filters/filter-groups.tsx'
import { eventsOf, type Source, type SqlQuery } from '../query-model.ts'
import { FunnelForm } from './funnel-form.tsx'
import { PathsForm } from './paths-form.tsx'
import { LifecycleForm, StickinessForm } from './presence-forms.tsx'
import { RetentionForm } from './retention-form.tsx'
import type { FormProps } from './section.tsx'
import { Section } from './section.tsx'
import { TrendsForm } from './trends-form.tsx'

type FormSource = Exclude<Source, SqlQuery>

/** The form of the query kind, and the filters. */
export function QueryForm({ source, onChange }: FormProps<FormSource>) {
  return (
    <Stack gap="lg">
      <KindForm source={source} onChange={onChange} />
      <Section title="Filters">
        <FilterGroups
          properties={source.properties}
          path="properties"
          event={eventsOf(source)[0]?.event}
          onChange={(properties) =>
            onChange({ ...source, properties: properties ?? null } as FormSource)
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

function KindForm({ source, onChange }: FormProps<FormSource>) {
  switch (source.kind) {
    case 'TrendsQuery':
      return <TrendsForm source={source} onChange={onChange} />
    case 'FunnelsQuery':
      return <FunnelForm source={source} onChange={onChange} />
    case 'RetentionQuery':
      return <RetentionForm source={source} onChange={onChange} />
    case 'LifecycleQuery':
      return <LifecycleForm source={source} onChange={onChange} />
    case 'StickinessQuery':
      return <StickinessForm source={source} onChange={onChange} />
    default:
      return <PathsForm source={source} onChange={onChange} />
  }
}
