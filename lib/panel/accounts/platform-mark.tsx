import type { Platform } from '../../platforms/contract/names.ts';
import { join } from '../components/classes.ts';
import classes from './platform-mark.module.css';

/** Our own drawings, not the platforms' logos: what people do there. On 20 × 20. */
const shapes: Readonly<Record<Platform, string>> = {
  instagram: 'M3.5 6.5h13v9.5h-13ZM7.5 6.5 8.5 4h3l1 2.5M10 13.75a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  facebook: 'M12.75 4.5c-2.5-.5-3.75.75-3.75 3V16M6.5 9.75h5.5',
  threads: 'M4 4.5h12v8.5H9.5L6 16v-3H4ZM7.25 7.75h5.5M7.25 10h3.5',
  tiktok: 'M8.75 13.5a2.25 2.25 0 1 1-2.25-2.25 2.25 2.25 0 0 1 2.25 2.25ZM8.75 13.5V4.25l6 1.5v3',
  youtube: 'M3.5 5h13v10h-13ZM8.5 7.75v4.5L12.25 10Z',
  linkedin: 'M4 7.25h12V15.5H4ZM7.5 7.25V4.75h5v2.5M4 11h12',
  pinterest: 'M7 4h6M8 4l-.5 5-2 2.5h9l-2-2.5L12 4M10 11.5V16.5',
};

/** A sign for a platform, beside its name or an account's: it says nothing that assistive technology would miss. */
export function PlatformMark({
  platform,
  size = 'medium',
}: {
  readonly platform: Platform;
  readonly size?: 'small' | 'medium' | 'large';
}) {
  return (
    <span className={join(classes['mark'], classes[platform], classes[size])}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={shapes[platform]} />
      </svg>
    </span>
  );
}
