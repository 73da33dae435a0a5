import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { Problem } from '../../ui/states.tsx'
import { useSetUp } from './api.ts'
import { useDemo } from './demo.ts'
import { Frame } from './frame.tsx'
import { checkPassword, NewPassword } from './new-password.tsx'
import { readToken } from './token.ts'

export function SetUpPage() {
  const [isDone, setDone] = useState(false)
  if (isDone) return <FirstData />
  return <OwnerForm onDone={() => setDone(true)} />
}

function OwnerForm({ onDone }: { readonly onDone: () => void }) {
  const setUp = useSetUp()
  const form = useForm({
    initialValues: { first_name: '', email: '', password: '' },
    validate: { password: checkPassword },
  })
  return (
    <Frame title="Welcome to Hedgerow" about="Who owns this server? You can invite others later.">
      <form
        onSubmit={form.onSubmit((sent) =>
          setUp.mutate({ ...sent, token: readToken() }, { onSuccess: onDone }),
        )}
      >
        <Stack>
          {setUp.error && <Problem error={setUp.error} />}
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            {...form.getInputProps('first_name')}
          />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <NewPassword {...form.getInputProps('password')} />
          <Button type="submit" loading={setUp.isPending} fullWidth>
            Continue
          </Button>
        </Stack>
      </form>
    </Frame>
  )
}

function FirstData() {
  const demo = useDemo()
  return (
    <Frame
      title="See it live?"
      about="Demo data is a believable product's events of the last 90 days. It can be deleted again."
    >
      <Stack>
        {demo.error && <Problem error={demo.error} />}
        <Button
          leftSection={<IconSparkles size={16} />}
          loading={demo.isPending}
          fullWidth
          onClick={() => demo.mutate(undefined, { onSuccess: (path) => location.assign(path) })}
        >
          Load demo data and open a dashboard
        </Button>
        <Button component="a" href="/" variant="default" fullWidth>
          Start empty
        </Button>
        <Text size="xs" c="dimmed">
          Demo data is an import app like any other: it is listed under “Import apps”.
        </Text>
      </Stack>
    </Frame>
  )
}
