import { Anchor, Button, Code, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type {
  EmbedSecret,
  EmbedSettings,
  NewEmbedSecret,
} from '#server/features/dashboards/embeds/schema.ts'
import { runIfConfirmed } from '../../../ui/dialog/confirm.tsx'
import { notify } from '../../../ui/dialog/notify.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { Panel, PanelRow, PanelRows } from '../../../ui/page/panel.tsx'
import { SecretOnce } from '../../../ui/page/secret-once.tsx'
import { EmptyState, Loading, QueryContent } from '../../../ui/page/states.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { FRAMES, toFrames, toOrigins } from '../../sharing/frames.ts'
import { SettingsForm } from '../shared/settings-form.tsx'
import {
  useCreateEmbedSecret,
  useEmbedSecrets,
  useEmbedSettings,
  useRevokeEmbedSecret,
  useSaveEmbedSettings,
} from './embeds-api.ts'

const MAX_SECRETS = 2

interface EmbedsProps {
  readonly projectId: number
}

/** The secrets with which another website signs embeds, and the settings of embeds. */
export function Embeds({ projectId }: EmbedsProps) {
  const secrets = useEmbedSecrets(projectId)
  const settings = useEmbedSettings(projectId)
  const create = useCreateEmbedSecret(projectId)
  const [created, setCreated] = useState<NewEmbedSecret>()
  const count = secrets.data?.length ?? 0
  const createButton = (
    <Button
      variant={count > 0 ? 'default' : 'filled'}
      loading={create.isPending}
      disabled={count >= MAX_SECRETS}
      onClick={() => create.mutate(undefined, { onSuccess: setCreated })}
    >
      {count > 0 ? 'Rotate secret' : 'Create secret'}
    </Button>
  )
  return (
    <>
      <Panel
        title="Signed embeds"
        about={
          <>
            Your server signs who sees which data of a dashboard on your website.{' '}
            <Anchor href="/docs/embed" inherit underline="always">
              How to embed
            </Anchor>
          </>
        }
        isFlush
        actions={count > 0 && createButton}
      >
        <QueryContent query={secrets} loading={<Loading lines={2} p="md" />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon={IconKey} title="No secrets yet" action={createButton}>
                Create a secret to sign embeds with.
              </EmptyState>
            ) : (
              <PanelRows>
                {list.map((secret) => (
                  <SecretRow key={secret.id} projectId={projectId} secret={secret} />
                ))}
              </PanelRows>
            )
          }
        </QueryContent>
      </Panel>
      {count >= MAX_SECRETS && (
        <Text size="sm" c="dimmed" mt="calc(-1 * var(--mantine-spacing-lg))">
          Sign with the new secret, then revoke the old one. Two can be active at a time.
        </Text>
      )}
      <Panel title="Settings of signed embeds">
        <QueryContent query={settings} loading={<Loading lines={2} />}>
          {(current) => <SettingsOfEmbeds projectId={projectId} settings={current} />}
        </QueryContent>
      </Panel>
      <Modal
        opened={!!created}
        onClose={() => setCreated(undefined)}
        title="Secret created"
        size="lg"
      >
        {created && (
          <SecretOnce value={created.secret} noun="secret">
            <Text size="sm">
              Name it as <Code>kid</Code> in the header of your tokens: <Code>{created.kid}</Code>
            </Text>
          </SecretOnce>
        )}
      </Modal>
    </>
  )
}

interface SecretRowProps extends EmbedsProps {
  readonly secret: EmbedSecret
}

function SecretRow({ projectId, secret: { id, kid, created_at, last_used_at } }: SecretRowProps) {
  const revoke = useRevokeEmbedSecret(projectId)
  const confirmAndRevoke = () =>
    runIfConfirmed(() => revoke.mutate(id), {
      title: `Revoke ${kid}?`,
      message: 'Embeds that it signed close immediately. This cannot be undone.',
      yes: 'Revoke secret',
      isDangerous: true,
    })
  return (
    <PanelRow
      title={<Code>{kid}</Code>}
      about={
        <>
          created <TimeAgo time={created_at} /> ·{' '}
          {last_used_at ? (
            <>
              last used <TimeAgo time={last_used_at} />
            </>
          ) : (
            'never used'
          )}
        </>
      }
    >
      <Button
        variant="subtle"
        color="red"
        size="xs"
        loading={revoke.isPending}
        onClick={confirmAndRevoke}
        aria-label={`Revoke ${kid}`}
      >
        Revoke…
      </Button>
    </PanelRow>
  )
}

interface SettingsProps extends EmbedsProps {
  readonly settings: EmbedSettings
}

function SettingsOfEmbeds({ projectId, settings }: SettingsProps) {
  const save = useSaveEmbedSettings(projectId)
  const form = useForm({
    initialValues: {
      jwks_url: settings.jwks_url ?? '',
      frames: toFrames(settings.embed_origins),
      embed_origins: (settings.embed_origins ?? []).join('\n'),
    },
  })
  const submit = form.onSubmit(({ jwks_url, frames, embed_origins }) =>
    save.mutate(
      { jwks_url: jwks_url.trim() || null, embed_origins: toOrigins(frames, embed_origins) },
      {
        onSuccess: () => {
          form.resetDirty()
          notify({ message: 'Settings saved.' })
        },
      },
    ),
  )
  return (
    <SettingsForm
      form={form}
      saving={save}
      onSubmit={submit}
      yes="Save settings"
      isDisabled={!form.isDirty()}
    >
      <Stack gap="xs">
        <Choice label="Can be embedded in" data={FRAMES} {...form.getInputProps('frames')} />
        {form.values.frames === 'some' && (
          <Textarea
            autosize
            minRows={2}
            label="Websites"
            description="One a line, such as https://example.com"
            {...form.getInputProps('embed_origins')}
          />
        )}
      </Stack>
      <TextInput
        label="JWKS address (optional)"
        description="Public keys for tokens that are signed with RS256."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="https://example.com/.well-known/jwks.json"
        maxLength={1000}
        {...form.getInputProps('jwks_url')}
      />
    </SettingsForm>
  )
}
