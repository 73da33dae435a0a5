import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useSetUp } from './api.ts'
import { FirstData } from './first-data.tsx'
import { useFirstFocus } from './first-focus.ts'
import { Frame } from './frame.tsx'
import { checkPassword, NewPassword } from './new-password.tsx'
import { NoLink } from './no-link.tsx'
import { Refusal, toFieldErrors } from './refusal.tsx'
import { readToken } from './token.ts'

const DONE = '#data'

export function SetUpPage() {
  const [isDone, setDone] = useState(location.hash === DONE)
  if (isDone) return <FirstData />
  if (!readToken()) {
    return (
      <NoLink title="Set up Hedgerow">
        The first start of the server prints a link to this page. Open that one.
      </NoLink>
    )
  }
  const finish = () => {
    history.replaceState(null, '', DONE) // the token is of no use any more, and reloading stays here
    setDone(true)
  }
  return <OwnerForm onDone={finish} />
}

function OwnerForm({ onDone }: { readonly onDone: () => void }) {
  const setUp = useSetUp()
  const first = useFirstFocus()
  const form = useForm({
    initialValues: { first_name: '', email: '', password: '' },
    validate: { password: checkPassword },
  })
  return (
    <Frame title="Welcome to Hedgerow" about="Who owns this server? You can invite others later.">
      <form
        onSubmit={form.onSubmit((sent) =>
          setUp.mutate(
            { ...sent, token: readToken() },
            { onSuccess: onDone, onError: (error) => form.setErrors(toFieldErrors(error)) },
          ),
        )}
      >
        <Stack>
          <Refusal error={setUp.error} values={form.values} />
          <TextInput
            ref={first}
            label="Your name"
            autoComplete="name"
            maxLength={150}
            required
            withAsterisk={false}
            {...form.getInputProps('first_name')}
          />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
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
