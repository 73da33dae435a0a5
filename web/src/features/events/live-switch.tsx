import { Button, Group, Switch, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { pluralize } from '#model/pluralize.ts'
import classes from './events.module.css'

interface LiveState {
  readonly isConnected: boolean
  readonly hasSkipped: boolean
}

interface LiveSwitchProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly live: LiveState
  readonly isPaused: boolean
  readonly onReload: () => void
}

export function LiveSwitch({ isOn, onChange, live, isPaused, onReload }: LiveSwitchProps) {
  return (
    <Group gap="xs">
      {live.hasSkipped && (
        <Button size="compact-xs" variant="subtle" onClick={onReload}>
          Load skipped events
        </Button>
      )}
      {isOn && (
        <Text size="xs" c="dimmed" role="status" visibleFrom="sm">
          {toWords(live, isPaused)}
        </Text>
      )}
      <Switch
        label="Live"
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Group>
  )
}

function toWords({ isConnected, hasSkipped }: LiveState, isPaused: boolean): string {
  if (!isConnected) return 'Connecting…'
  if (hasSkipped) return 'Showing a sample'
  return isPaused ? 'Paused while reading' : 'Listening'
}

interface NewEventsProps {
  readonly count: number
  readonly onShow: () => void
}

/** Sticks to the top while scrolling. */
export function NewEventsButton({ count, onShow }: NewEventsProps) {
  if (count === 0) return null
  return (
    <div className={classes.newEvents}>
      <Button
        size="xs"
        radius="xl"
        leftSection={<IconArrowUp size={14} aria-hidden />}
        onClick={() => {
          onShow()
          window.scrollTo({ top: 0 })
        }}
      >
        {pluralize(count, 'new event')}
      </Button>
    </div>
  )
}
