import { Switch } from '@mantine/core'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { usePatchConfig } from './api.ts'

export function EnabledSwitch({ config }: { readonly config: PipelineConfig }) {
  const patch = usePatchConfig(config.id)
  return (
    <Switch
      aria-label={`Enable ${config.name}`}
      checked={
        patch.variables?.enabled !== undefined && patch.isPending
          ? patch.variables.enabled
          : config.enabled
      }
      disabled={config.deleted}
      onChange={({ currentTarget: { checked } }) => patch.mutate({ enabled: checked })}
    />
  )
}
