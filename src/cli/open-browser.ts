import { spawn } from 'node:child_process'

/** Opens a page in the user's browser. The page was printed too, so it does not matter if there is none. */
export function openBrowser(url: string): void {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(command, [url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
