import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { notify } from '../../../ui/dialog/notify.ts'
import { useInstall } from './api.ts'

interface InstallProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function InstallNpm({ opened, onClose }: InstallProps) {
  const install = useInstall()
  const [name, setName] = useState('')
  const close = () => {
    install.reset()
    onClose()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const plugin = await install.mutateAsync({ url: toUrl(name) }).catch(() => undefined)
    if (!plugin) return // the error is shown at the field
    notify({ message: `${plugin.name} installed. ${plugin.limitation}`.trim() })
    setName('')
    close()
  }
  return (
    <Modal opened={opened} onClose={close} title="Install from npm or GitHub">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Package or URL"
            description="Name of an npm package, or URL of a package or repository."
            placeholder="name@1.2.3 or https://github.com/…"
            data-autofocus
            value={name}
            error={install.error?.message}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Text size="sm" c="dimmed">
            Apps run in a sandbox without file or network access; Hedgerow fetches for them. They
            can read their settings.
          </Text>
          <Button type="submit" loading={install.isPending} disabled={name.trim() === ''}>
            Install app
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

const toUrl = (text: string): string => {
  const name = text.trim()
  return /^(npm:|https?:)/.test(name) ? name : `npm:${name}`
}
