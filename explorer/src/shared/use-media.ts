import { useEffect, useState } from 'react';

/** Whether the window is as a media query asks, which may change. */
export function useMedia(query: string): boolean {
  const [isSo, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const hear = (): void => set(media.matches);
    media.addEventListener('change', hear);
    return () => media.removeEventListener('change', hear);
  }, [query]);
  return isSo;
}
