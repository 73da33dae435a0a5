import { Button, Group } from '@mantine/core'
import type { PersonalApiKey } from '#server/features/accounts/api-keys/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { CodeBlock } from '../../../ui/page/code-block.tsx'
import { SecretOnce } from '../../../ui/page/secret-once.tsx'
import { accessTo, FULL_ACCESS } from './scopes.ts'

interface CreatedKeyProps {
  readonly apiKey: PersonalApiKey
  readonly onClose: () => void
}

export function CreatedKey({ apiKey, onClose }: CreatedKeyProps) {
  const { value, scopes, scoped_teams } = apiKey
  const current = useProjectId()
  const project =
    scoped_teams.length > 0 && !scoped_teams.includes(current) ? scoped_teams[0] : current
  const readsDashboards = scopes.includes(FULL_ACCESS) || accessTo(scopes, 'dashboard') !== 'none'
  // every key can read itself
  const path = readsDashboards
    ? `/api/environments/${project}/dashboards`
    : '/api/personal_api_keys/@current'
  return (
    <SecretOnce value={value ?? ''} noun="API key">
      <CodeBlock
        label="Try the key with curl"
        code={`curl -H 'Authorization: Bearer ${value}' \\\n  '${location.origin}${path}'`}
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </SecretOnce>
  )
}
