import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsKiosk } from '../../shell/kiosk.ts'

/** The whole screen shows what a TV would. Whoever leaves the one leaves the other. */
export function useFullScreen() {
  const isKiosk = useIsKiosk()
  const navigate = useNavigate()
  const setKiosk = (kiosk: true | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, kiosk }), replace: true })

  useEffect(() => {
    const leave = () => {
      if (!document.fullscreenElement) setKiosk(undefined)
    }
    document.addEventListener('fullscreenchange', leave)
    return () => document.removeEventListener('fullscreenchange', leave)
  })

  return {
    isKiosk,
    /** Of the browser, too, where it lets us. */
    toggle() {
      if (!isKiosk) void document.documentElement.requestFullscreen?.().catch(() => undefined)
      else if (document.fullscreenElement) void document.exitFullscreen()
      setKiosk(isKiosk ? undefined : true)
    },
    setKiosk,
  }
}
