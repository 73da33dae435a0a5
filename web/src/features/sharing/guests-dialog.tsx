import {
  ActionIcon,
  Box,
  Button,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { useForm } from '@mantine/form'
import '@mantine/dates/styles.css'
import { IconAt, IconMail, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { LinkGuest, PublicLink } from '#server/features/dashboards/links/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { FormError } from '../../ui/form/form-error.tsx'
import { CopyText } from '../../ui/page/copy-button.tsx'
import { toExactTime } from '../../ui/page/exact-time.ts'
import { Loading, QueryContent } from '../../ui/page/states.tsx'
import { fromWallClock, useZone } from '../../ui/page/zone.ts'
import {
  guestsQuery,
  type LinkPlace,
  type LinkTarget,
  useInviteGuest,
  useRemoveGuest,
} from './api.ts'
import { nameOf } from './link-texts.ts'
import classes from './sharing.module.css'

interface GuestsDialogProps {
  readonly target: LinkTarget
  readonly link: PublicLink
  readonly onClose: () => void
}

/** Invites people to a link, and shows who is invited. */
export function GuestsDialog({ target, link, onClose }: GuestsDialogProps) {
  const place = { target, id: link.id }
  const guests = useQuery(guestsQuery(useProjectId(), place))
  return (
    <Modal opened onClose={onClose} title={`Guests of “${nameOf(link)}”`} size="md">
      <Stack>
        <InviteGuest place={place} />
        <QueryContent query={guests} loading={<Loading lines={2} />}>
          {(invited) =>
            invited.length === 0 ? (
              <Text size="sm" c="dimmed">
                Nobody can open this link yet.
              </Text>
            ) : (
              <ul className={classes.people} aria-label="Guests">
                {invited.map((guest) => (
                  <GuestRow key={guest.id} place={place} guest={guest} />
                ))}
              </ul>
            )
          }
        </QueryContent>
        <Group justify="space-between">
          <Text size="sm" c="dimmed" flex={1}>
            Guests get no mail now. Send them the link.
          </Text>
          <CopyText value={`${location.origin}/shared/${link.access_token}`} label="Copy link" />
        </Group>
      </Stack>
    </Modal>
  )
}

function InviteGuest({ place }: { readonly place: LinkPlace }) {
  const zone = useZone()
  const invite = useInviteGuest(place)
  const form = useForm({
    initialValues: { who: '', expires_at: null as string | null },
    validate: { who: (who) => (who.trim() ? null : 'Enter an address or a domain.') },
    onValuesChange: () => invite.reset(),
  })
  const submit = form.onSubmit(({ who, expires_at }) =>
    invite.mutate(
      {
        ...toInvited(who.trim()),
        expires_at: expires_at && fromWallClock(expires_at, zone).toISOString(),
      },
      { onSuccess: () => form.reset() },
    ),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <FormError error={invite.error} form={form} />
        <Group gap="xs" align="flex-start">
          <TextInput
            data-autofocus
            flex={2}
            miw={180}
            label="E-mail address or domain"
            placeholder="ada@example.com or example.com"
            maxLength={254}
            {...form.getInputProps('who')}
          />
          <DateTimePicker
            clearable
            flex={1}
            miw={140}
            label="Until"
            placeholder="No end"
            valueFormat="D MMM YYYY, HH:mm"
            {...form.getInputProps('expires_at')}
          />
        </Group>
        <Group>
          <Button type="submit" variant="default" loading={invite.isPending}>
            Invite guest
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Anything with characters before an @ is an address. */
const toInvited = (who: string) => (/^.+@/.test(who) ? { email: who } : { domain: who })

interface GuestRowProps {
  readonly place: LinkPlace
  readonly guest: LinkGuest
}

function GuestRow({ place, guest: { id, email, domain, expires_at } }: GuestRowProps) {
  const zone = useZone()
  const remove = useRemoveGuest(place)
  const name = email ?? `Everyone at ${domain}`
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return (
    <li className={classes.person}>
      {email ? <IconMail size={18} /> : <IconAt size={18} />}
      <Box className={classes.who}>
        <Text size="sm" className={classes.address}>
          {name}
        </Text>
        {expires_at && (
          <Text size="xs" c="dimmed">
            {`${isOver ? 'Ended' : 'Until'} ${toExactTime(expires_at, zone)}`}
          </Text>
        )}
      </Box>
      <Tooltip label="Remove guest">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate(id)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
