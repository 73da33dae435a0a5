import { Stack } from '@mantine/core'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { QueryContent } from '../../../ui/page/states.tsx'
import { useBackfills } from './api.ts'
import { BackfillCard } from './backfill-card.tsx'
import { BackfillForm } from './backfill-form.tsx'

export function BackfillsTab({ config }: { readonly config: PipelineConfig }) {
  const backfills = useBackfills(config.id)
  return (
    <Stack maw={720}>
      <BackfillForm config={config} />
      <QueryContent query={backfills}>
        {({ results }) => results.map((one) => <BackfillCard key={one.id} backfill={one} />)}
      </QueryContent>
    </Stack>
  )
}
