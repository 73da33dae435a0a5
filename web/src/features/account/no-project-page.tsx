import { Button, Text } from '@mantine/core'
import { useSignOut } from '../../api/session.ts'
import { AccountFrame } from './frame.tsx'

export function NoProjectPage() {
  const signOut = useSignOut()
  return (
    <AccountFrame title="No project yet">
      <Text mb="md">You're not a member of any project. Ask an admin to add you.</Text>
      <Button variant="default" fullWidth onClick={() => signOut.mutate(false)}>
        Sign out
      </Button>
    </AccountFrame>
  )
}
