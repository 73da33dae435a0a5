import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsKiosk } from '../../shell/kiosk.ts'

/** Full screen is kiosk mode; leaving one leaves the other. */
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
    /** Also requests full screen from the browser. */
    toggle() {
      if (!isKiosk) void document.documentElement.requestFullscreen?.().catch(() => undefined)
      else if (document.fullscreenElement) void document.exitFullscreen()
      setKiosk(isKiosk ? undefined : true)
    },
    setKiosk,
  }
}
