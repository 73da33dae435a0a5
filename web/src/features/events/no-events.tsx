import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconBolt, IconFilterOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProject, useProjectId } from '../../api/project.ts'
import { Card } from '../../ui/card.tsx'
import { CopyText } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import classes from './events.module.css'

export function NoMatches({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No events found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No events match these filters.
    </EmptyState>
  )
}

/** Explains how to send the first event. */
export function NoEvents() {
  const projectId = `${useProjectId()}`
  const command = toCommand(useProject()?.api_token ?? '')
  return (
    <Card>
      <EmptyState icon={IconBolt} title="Waiting for the first event">
        Run this command, point a PostHog library at this server, or add an import app. Events
        appear here as they arrive.
      </EmptyState>
      <Stack gap="xs" maw={640} mx="auto" pb="xl">
        <pre className={`${classes.json} ${classes.command}`}>{command}</pre>
        <Group justify="space-between">
          <CopyText label="Copy command" value={command} />
          <Text size="sm">
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link {...props} to="/project/$projectId/apps/gallery" params={{ projectId }} />
              )}
            >
              Add an import app
            </Anchor>
          </Text>
        </Group>
      </Stack>
    </Card>
  )
}

function toCommand(token: string): string {
  const body = {
    api_key: token,
    event: 'signed up',
    distinct_id: 'ada',
    properties: { plan: 'pro' },
  }
  return [
    `curl ${location.origin}/capture`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body, null, 2)}'`,
  ].join(' \\\n  ')
}
