import { ActionIcon, Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { ALL_EVENTS } from '#model/query-kinds/events.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { EventPicker } from '../actions/event-picker.tsx'
import { type Goal, MAX_GOALS, toGoal, toGoalNode } from './goals.ts'

interface ChooseGoalsProps {
  readonly goals: readonly Goal[]
  readonly onChoose: (goals: readonly Goal[]) => void
  readonly onClose: () => void
}

/** Chooses the events and actions that count as goals. Without any, the most frequent events do. */
export default function ChooseGoals({ goals, onChoose, onClose }: ChooseGoalsProps) {
  const [nodes, setNodes] = useState<readonly EventsNode[]>(goals.map(toGoalNode))
  return (
    <FormDialog
      title="Choose goals"
      yes="Save goals"
      yesProps={{ disabled: nodes.some((node) => toGoal(node).length === 0) }}
      onSubmit={() => {
        onChoose(nodes.flatMap(toGoal))
        onClose()
      }}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        Visitors who do one of these events or actions reach the goal.
        {nodes.length === 0 && ' Without goals, the most frequent events are shown.'}
      </Text>
      <Stack gap="xs">
        {nodes.map((node, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: goals have no ids
          <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
            <Box flex={1}>
              <EventPicker
                label={`Goal ${at + 1}`}
                value={node}
                onChange={(chosen) => setNodes(nodes.with(at, chosen))}
              />
            </Box>
            <ActionIcon
              mt={4}
              variant="subtle"
              color="gray"
              aria-label={`Remove goal ${at + 1}`}
              onClick={() => setNodes(nodes.toSpliced(at, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        {nodes.length < MAX_GOALS && (
          <Group>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => setNodes([...nodes, ALL_EVENTS])}
            >
              Add goal
            </Button>
          </Group>
        )}
      </Stack>
    </FormDialog>
  )
}
