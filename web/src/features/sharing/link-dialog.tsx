import { Checkbox, Group, NumberInput, Stack, Textarea, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { useForm } from '@mantine/form'
import type { LinkAudience } from '#model/public-links.ts'
import type { PublicLink, PublicLinkWrite } from '#server/features/dashboards/links/schema.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { toClockText } from '../../ui/form/clock-text.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { toExactTime } from '../../ui/page/exact-time.ts'
import { fromWallClock, useZone } from '../../ui/page/zone.ts'
import { type LinkTarget, useSaveLink } from './api.ts'
import { AudienceFields } from './audience-fields.tsx'
import { FRAMES, toFrames, toOrigins } from './frames.ts'
import { ViewerFields } from './viewer-fields.tsx'
import { toViewerFilters, toViewerValues } from './viewer-values.ts'

interface LinkDialogProps {
  readonly target: LinkTarget
  /** undefined: a new link. */
  readonly link: PublicLink | undefined
  readonly onSaved: (link: PublicLink) => void
  readonly onClose: () => void
}

/** The results that a link shows: the current ones, those of now, or those of when it was frozen before. */
type Moment = 'live' | 'now' | 'kept'

const FROZEN = 'They never change, whatever happens later. Viewers can change nothing.'

const listMoments = (
  link: PublicLink | undefined,
  zone: string | undefined,
): { readonly value: Moment; readonly label: string }[] => [
  { value: 'live', label: 'Always the current ones' },
  ...(link?.snapshot_at
    ? [{ value: 'kept' as const, label: `Those of ${toExactTime(link.snapshot_at, zone)}` }]
    : []),
  { value: 'now', label: 'Those of now, frozen' },
]

/** Creates a public link, or changes who can open one, when, and what it shows. */
export function LinkDialog({ target, link, onSaved, onClose }: LinkDialogProps) {
  const zone = useZone()
  const save = useSaveLink(target)
  const form = useForm({
    initialValues: toValues(link, zone),
    validate: {
      password: (password, { audience }) =>
        audience === 'password' && !password && link?.audience !== 'password'
          ? 'Enter a password.'
          : null,
    },
  })
  const { frames, moment } = form.values
  const submit = form.onSubmit((values) =>
    save.mutate({ id: link?.id, body: toBody(values, zone, link) }, { onSuccess: onSaved }),
  )
  return (
    <FormDialog
      title={link ? 'Link settings' : 'Add a public link'}
      yes={link ? 'Save' : 'Add link'}
      onSubmit={submit}
      saving={save}
      form={form}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Label"
        description="What it is for. Visitors do not see it."
        placeholder="Investors"
        maxLength={200}
        {...form.getInputProps('label')}
      />
      <AudienceFields
        audience={form.getInputProps('audience')}
        password={form.getInputProps('password')}
        hasPassword={link?.audience === 'password'}
      />
      <Group grow align="flex-start">
        <DateTimePicker
          clearable
          label="Starts"
          placeholder="At once"
          valueFormat="D MMM YYYY, HH:mm"
          {...form.getInputProps('starts_at')}
        />
        <DateTimePicker
          clearable
          label="Ends"
          placeholder="Never"
          valueFormat="D MMM YYYY, HH:mm"
          {...form.getInputProps('expires_at')}
        />
      </Group>
      <NumberInput
        label="View limit"
        placeholder="None"
        min={1}
        allowDecimal={false}
        {...form.getInputProps('max_views')}
      />
      <Choice label="Can be embedded in" data={FRAMES} {...form.getInputProps('frames')} />
      {frames === 'some' && (
        <Textarea
          autosize
          minRows={2}
          label="Websites"
          description="One a line, such as https://example.com"
          {...form.getInputProps('embed_origins')}
        />
      )}
      <Choice
        label="Results"
        description={moment !== 'live' && FROZEN}
        data={listMoments(link, zone)}
        {...form.getInputProps('moment')}
      />
      {moment === 'live' && (
        <ViewerFields
          of={target.kind}
          value={form.values.viewer}
          onChange={(viewer) => form.setFieldValue('viewer', viewer)}
        />
      )}
      <Stack gap="xs">
        <Checkbox
          label="Show annotations"
          {...form.getInputProps('shows_annotations', { type: 'checkbox' })}
        />
        <Checkbox
          label="Allow downloads as PNG, PDF and CSV"
          {...form.getInputProps('allows_exports', { type: 'checkbox' })}
        />
      </Stack>
    </FormDialog>
  )
}

const toValues = (link: PublicLink | undefined, zone: string | undefined) => ({
  label: link?.label ?? '',
  audience: link?.audience ?? ('anyone' as LinkAudience),
  password: '',
  starts_at: link?.starts_at ? toClockText(link.starts_at, zone) : null,
  expires_at: link?.expires_at ? toClockText(link.expires_at, zone) : null,
  max_views: link?.max_views ?? ('' as number | ''),
  frames: toFrames(link?.embed_origins ?? null),
  embed_origins: (link?.embed_origins ?? []).join('\n'),
  shows_annotations: link?.shows_annotations ?? true,
  allows_exports: link?.allows_exports ?? true,
  moment: (link?.snapshot_at ? 'kept' : 'live') as Moment,
  viewer: toViewerValues(link?.viewer_filters ?? null),
})

const toTime = (text: string | null, zone: string | undefined): string | null =>
  text ? fromWallClock(text, zone).toISOString() : null

function toBody(
  {
    audience,
    password,
    starts_at,
    expires_at,
    max_views,
    frames,
    moment,
    viewer,
    ...values
  }: ReturnType<typeof toValues>,
  zone: string | undefined,
  link: PublicLink | undefined,
): PublicLinkWrite {
  const { label, shows_annotations, allows_exports } = values
  return {
    ...{ label, shows_annotations, allows_exports },
    audience,
    // an empty field keeps the password
    ...(audience === 'password' && password && { password }),
    starts_at: toTime(starts_at, zone),
    expires_at: toTime(expires_at, zone),
    max_views: max_views === '' ? null : max_views,
    embed_origins: toOrigins(frames, values.embed_origins),
    ...(moment !== 'kept' && { snapshot_at: moment === 'live' ? null : moment }),
    viewer_filters:
      moment === 'live' ? toViewerFilters(viewer, link?.viewer_filters ?? null) : null,
  }
}
