import { ActionIcon, Button, Group, NumberInput, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { DisplaySettings } from '#model/display-settings.ts'
import classes from '../editor.module.css'
import { Section } from '../forms/section.tsx'
import { isOverTime } from './axis-settings.tsx'
import type { SettingsProps } from './settings.ts'

type Goal = NonNullable<DisplaySettings['goalLines']>[number]

const MAX_GOALS = 20

/** Lines across a chart over time or a gauge, with a label each. */
export function GoalSettings({ settings, set, path, display }: SettingsProps) {
  const isShown = path !== 'stickinessFilter' && (isOverTime(display) || display?.form === 'gauge')
  if (!isShown) return null
  const goals = settings.goalLines ?? []
  const change = (at: number, changed: Partial<Goal>) =>
    set({ goalLines: goals.map((goal, each) => (each === at ? { ...goal, ...changed } : goal)) })
  return (
    <Section title="Goal lines">
      {goals.map((goal, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index is its identity
        <Group key={at} gap={6} wrap="nowrap">
          <TextInput
            className={classes.wide ?? ''}
            aria-label={`Label of goal ${at + 1}`}
            placeholder="Label"
            maxLength={100}
            value={goal.label}
            onChange={({ currentTarget }) => change(at, { label: currentTarget.value })}
          />
          <NumberInput
            w={110}
            aria-label={`Value of goal ${at + 1}`}
            value={goal.value}
            onChange={(value) => change(at, { value: Number(value) || 0 })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove goal ${at + 1}`}
            onClick={() => set({ goalLines: goals.filter((_, each) => each !== at) })}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      {goals.length < MAX_GOALS && (
        <Button
          className={classes.start ?? ''}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => set({ goalLines: [...goals, { label: 'Goal', value: 0 }] })}
        >
          Add goal line
        </Button>
      )}
    </Section>
  )
}
