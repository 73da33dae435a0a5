import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Annotation } from '#server/features/dashboards/annotations/schema.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { toClockText } from '../../ui/form/clock-text.ts'
import { toExactTime } from '../../ui/page/exact-time.ts'
import { QueryContent } from '../../ui/page/states.tsx'
import { fromWallClock, useZone } from '../../ui/page/zone.ts'
import { useAnnotations, useSaveAnnotation } from './api.ts'

/** The insight or dashboard that the dialog belongs to. */
export type AnnotatedItem = { readonly insight: number } | { readonly dashboard: number }

interface AnnotationsDialogProps {
  readonly of: AnnotatedItem
  readonly onClose: () => void
}

/** Lists the annotations that the charts of the item show, and creates new ones. */
export function AnnotationsDialog({ of, onClose }: AnnotationsDialogProps) {
  const annotations = useAnnotations()
  return (
    <Modal opened onClose={onClose} title="Annotations" size="lg">
      <Stack>
        <AnnotationForm of={of} />
        <QueryContent query={annotations}>
          {({ results }) => {
            const shown = results.filter((one) => isShown(one, of))
            if (shown.length === 0) {
              return (
                <Text size="sm" c="dimmed">
                  No annotations yet.
                </Text>
              )
            }
            return (
              <Stack gap="xs" component="ul" m={0} p={0}>
                {shown.map((one) => (
                  <AnnotationRow key={one.id} annotation={one} />
                ))}
              </Stack>
            )
          }}
        </QueryContent>
      </Stack>
    </Modal>
  )
}

function isShown({ scope, dashboard_id, dashboard_item }: Annotation, of: AnnotatedItem): boolean {
  if (scope === 'dashboard') return 'dashboard' in of && of.dashboard === dashboard_id
  return scope !== 'dashboard_item' || ('insight' in of && of.insight === dashboard_item)
}

function AnnotationForm({ of }: { readonly of: AnnotatedItem }) {
  const save = useSaveAnnotation()
  const own = 'insight' in of ? 'dashboard_item' : 'dashboard'
  const [content, setContent] = useState('')
  const zone = useZone()
  const [time, setTime] = useState<string | null>(() => toClockText(new Date(), zone))
  const [scope, setScope] = useState<typeof own | 'project'>(own)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const target = 'insight' in of ? { dashboard_item: of.insight } : { dashboard_id: of.dashboard }
    const body = {
      content,
      date_marker: (time ? fromWallClock(time, zone) : new Date()).toISOString(),
      scope,
      ...target,
    }
    save.mutate(body, { onSuccess: () => setContent('') })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          data-autofocus
          required
          maxLength={8192}
          label="Text"
          placeholder="Version 2.0 released"
          value={content}
          error={save.error?.message}
          onChange={({ currentTarget }) => setContent(currentTarget.value)}
        />
        <Group grow>
          <DateTimePicker
            required
            label="Time"
            valueFormat="D MMM YYYY, HH:mm"
            value={time}
            onChange={setTime}
          />
          <Choice
            label="Show on"
            data={[
              { value: own, label: own === 'dashboard' ? 'This dashboard' : 'This insight' },
              { value: 'project', label: 'All insights' },
            ]}
            value={scope}
            onChange={setScope}
          />
        </Group>
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={!content.trim() || !time}>
            Add annotation
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function AnnotationRow({ annotation }: { readonly annotation: Annotation }) {
  const save = useSaveAnnotation()
  const { id, content, date_marker, scope } = annotation
  const zone = useZone()
  return (
    <Group component="li" wrap="nowrap" justify="space-between" gap="xs">
      <Stack gap={0} miw={0}>
        <Text size="sm">{content || 'No text'}</Text>
        <Text size="xs" c="dimmed">
          {toExactTime(date_marker, zone)}
          {scope === 'organization' && ' · all projects'}
        </Text>
      </Stack>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Delete annotation: ${content}`}
        loading={save.isPending}
        onClick={() => save.mutate({ id, deleted: true })}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  )
}
