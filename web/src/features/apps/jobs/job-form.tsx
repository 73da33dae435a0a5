import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { ApiError } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { Card } from '../../../ui/page/card.tsx'
import { CopyCurl } from '../../../ui/page/copy-curl.tsx'
import { useRunJob } from '../api.ts'
import { configsPath } from '../keys.ts'
import { JobInput } from './job-input.tsx'
import { type JobFields, toPayload, toTyped } from './job-rules.ts'

interface JobFormProps {
  readonly config: PipelineConfig
  readonly name: string
  readonly fields: JobFields
  readonly onRun: () => void
}

/** One job with inputs for its payload. */
export function JobForm({ config, name, fields, onRun }: JobFormProps) {
  const projectId = useProjectId()
  const isAllowed = isAdmin(useMe())
  const run = useRunJob(config.id, { showsError: true })
  const [typed, setTyped] = useState(() => toTyped(fields))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { payload } = toPayload(fields, typed)
  const attr = run.error instanceof ApiError ? run.error.attr : null
  const invalidKey = Object.keys(fields).find((key) => attr === `job__payload__${key}`)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const checked = toPayload(fields, typed)
    setErrors(checked.errors)
    if (Object.keys(checked.errors).length > 0) return
    const { submitter } = event.nativeEvent as SubmitEvent
    const isTest = submitter?.getAttribute('value') === 'test'
    run.mutate({ job: { type: name, payload: checked.payload }, isTest }, { onSuccess: onRun })
  }

  return (
    <Card p="lg">
      <form onSubmit={submit} noValidate aria-label={name}>
        <Stack gap="md">
          <Title order={2}>{name}</Title>
          {Object.entries(fields).map(([key, field]) => (
            <JobInput
              key={key}
              name={key}
              field={field}
              value={typed[key] ?? ''}
              isLocked={field.staff_only === true && !isAllowed}
              error={errors[key] ?? (invalidKey === key ? run.error?.message : undefined)}
              onChange={(value) => setTyped({ ...typed, [key]: value })}
            />
          ))}
          {run.error && invalidKey === undefined && (
            <Alert color="red" role="alert">
              {run.error.message}
            </Alert>
          )}
          <Group gap="sm">
            <Button
              type="submit"
              leftSection={<IconPlayerPlay size={16} />}
              loading={run.isPending}
              disabled={!config.enabled}
            >
              Run job
            </Button>
            <Button
              type="submit"
              value="test"
              variant="default"
              loading={run.isPending}
              disabled={config.deleted}
            >
              Test job
            </Button>
            <CopyCurl
              method="POST"
              path={`${configsPath(projectId)}/${config.id}/job`}
              body={{ job: { type: name, payload } }}
            />
            {!config.enabled && (
              <Text size="sm" c="dimmed">
                Enable the app to run jobs. A test stores nothing.
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
