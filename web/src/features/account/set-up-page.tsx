import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loading } from '../../ui/page/states.tsx'
import { AccountForm } from './account-form.tsx'
import { type FirstStep, openPageOrSecondStep, useSetUp, waysInQuery } from './api.ts'
import {
  EmailField,
  findPasswordProblem,
  NameField,
  NewPasswordField,
  useFirstFocus,
} from './fields.tsx'
import { FirstData } from './first-data.tsx'
import { AccountFrame } from './frame.tsx'
import { NoLink } from './no-link.tsx'
import { linkToken } from './search.ts'

const DONE = '#data'

export function SetUpPage() {
  const [isDone, setDone] = useState(location.hash === DONE)
  const ways = useQuery(waysInQuery)
  if (isDone) return <FirstData />
  if (ways.isPending) {
    return (
      <AccountFrame title="Welcome to Hedgerow">
        <Loading lines={4} />
      </AccountFrame>
    )
  }
  if (ways.data?.needs_set_up === false) {
    return (
      <NoLink title="Hedgerow is already set up">
        The set-up link works once and has been used, or it has expired.
      </NoLink>
    )
  }
  if (!linkToken()) {
    return (
      <NoLink title="Set up Hedgerow">
        Open the link that the server printed when it first started.
      </NoLink>
    )
  }
  const finish = (step: FirstStep) => {
    if (step) return openPageOrSecondStep(step, '/')
    history.replaceState(null, '', DONE) // the token is used up; reloading stays on this step
    setDone(true)
  }
  return <OwnerForm onDone={finish} />
}

function OwnerForm({ onDone }: { readonly onDone: (step: FirstStep) => void }) {
  const first = useFirstFocus()
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: { password: findPasswordProblem },
  })
  return (
    <AccountFrame
      title="Welcome to Hedgerow"
      about="Create the owner account. You can invite others later."
    >
      <AccountForm form={form} send={useSetUp(linkToken())} onDone={onDone} yes="Create account">
        <NameField ref={first} {...form.getInputProps('name')} />
        <EmailField {...form.getInputProps('email')} />
        <NewPasswordField {...form.getInputProps('password')} />
      </AccountForm>
    </AccountFrame>
  )
}
