import { join } from '../components/classes.ts';
import type { DraftMedia } from '../media/draft-media.ts';
import { entriesOf } from '../media/entries.ts';
import { words } from '../words/words.ts';
import classes from './collage.module.css';
import { shownRatio } from './format.ts';
import { Shot } from './parts.tsx';

interface CollageProps {
  media: readonly DraftMedia[];
  options: Readonly<Record<string, unknown>>;
  most: number;
  look: 'facebook' | 'linkedin';
}

/** Several photos at once, arranged by their number. */
export function Collage({ media, options, most, look }: CollageProps) {
  const [first] = media;
  if (first === undefined) return null;
  const shown = entriesOf(media).slice(0, most);
  const isAlone = media.length === 1;
  const ratio = isAlone ? shownRatio(first, { min: 0.8, max: 1.91, fallback: 1.25 }) : 1;
  return (
    <div
      className={join(classes['collage'], classes[look], classes[`of${shown.length}`])}
      style={{ aspectRatio: ratio }}
    >
      {shown.map(({ id, place, file }) => (
        <div key={id} className={classes['part']}>
          <Shot media={file} place={place} options={options} />
          {place === most - 1 && media.length > most && (
            <span className={classes['others']}>{words.previews.others(media.length - most + 1)}</span>
          )}
        </div>
      ))}
    </div>
  );
}
