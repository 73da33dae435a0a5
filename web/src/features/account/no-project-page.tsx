import { Button, Text } from '@mantine/core'
import { useSignOut } from '../../api/session.ts'
import { Frame } from './frame.tsx'

export function NoProjectPage() {
  const signOut = useSignOut()
  return (
    <Frame title="No project yet">
      <Text mb="md">You're not a member of any project. Ask an admin to add you.</Text>
      <Button variant="default" fullWidth onClick={() => signOut.mutate(false)}>
        Sign out
      </Button>
    </Frame>
  )
}
