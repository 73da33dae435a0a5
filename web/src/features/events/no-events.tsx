import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconBolt, IconFilterOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProject, useProjectId } from '../../api/project.ts'
import { Card } from '../../ui/card.tsx'
import { CopyText } from '../../ui/copy-button.tsx'
import { Empty } from '../../ui/states.tsx'
import classes from './events.module.css'

export function NoneFit({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty
      icon={IconFilterOff}
      title="No events fit"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Nothing matches these filters yet.
    </Empty>
  )
}

/** How to send the first one: by hand, or by an app that brings them. */
export function NoEvents() {
  const projectId = `${useProjectId()}`
  const command = toCommand(useProject()?.api_token ?? '')
  return (
    <Card>
      <Empty icon={IconBolt} title="Waiting for the first event">
        Send one from a terminal, point any PostHog library at this address, or let an import app
        bring them in. It shows up here by itself.
      </Empty>
      <Stack gap="xs" maw={640} mx="auto" pb="xl">
        <pre className={`${classes.json} ${classes.command}`}>{command}</pre>
        <Group justify="space-between">
          <CopyText label="Copy the command" value={command} />
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
